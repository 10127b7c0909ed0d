import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { countCode } from './countCode.ts'

/** The most lines of code of each package. A commit of its own raises one, with the reason. */
const budgets: Readonly<Record<string, number>> = {
  api: 14_650,
  chain: 10_400,
  cli: 2_400,
  console: 12_050,
  core: 3_450,
  localnet: 4_950,
  react: 2_600,
  sdk: 7_000,
  server: 3_950,
  store: 5_500,
}

it.each(readdirSync(new URL('../../packages', import.meta.url)))(
  'the code of packages/%s is within its budget',
  (name) => {
    expect(countCode(name)).toBeLessThanOrEqual(budgets[name] ?? 0)
  },
)

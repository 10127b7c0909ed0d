import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { countCode } from './countCode.ts'

/** The most lines of code of each package. A commit of its own raises one, with the reason. */
const budgets: Readonly<Record<string, number>> = {
  api: 14_300,
  chain: 10_600,
  cli: 2_300,
  console: 10_900,
  core: 3_400,
  localnet: 4_500,
  react: 2_600,
  sdk: 6_900,
  server: 3_500,
  store: 5_300,
}

it.each(readdirSync(new URL('../../packages', import.meta.url)))(
  'the code of packages/%s is within its budget',
  (name) => {
    expect(countCode(name)).toBeLessThanOrEqual(budgets[name] ?? 0)
  },
)

import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { countCode } from './countCode.ts'

/** The most lines of code of each package. A commit of its own raises one, with the reason. */
const budgets: Readonly<Record<string, number>> = {
  api: 14_250,
  chain: 10_400,
  cli: 2_350,
  console: 12_300,
  core: 3_150,
  localnet: 4_850,
  react: 2_600,
  sdk: 6_900,
  server: 3_900,
  store: 5_200,
}

it.each(readdirSync(new URL('../../packages', import.meta.url)))(
  'the code of packages/%s is within its budget',
  (name) => {
    expect(countCode(name)).toBeLessThanOrEqual(budgets[name] ?? 0)
  },
)

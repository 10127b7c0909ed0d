import fc from 'fast-check'
import { it } from 'vitest'
import { foreignPrices } from '../harness/deployForeignPools.ts'
import { seed, setUpExactOut } from './setUpExactOut.ts'

const setUp = setUpExactOut()

const symbols = Object.keys(foreignPrices)
const pairs = symbols
  .flatMap((from) => symbols.filter((to) => to !== from).map((to) => ({ from, to })))
  .map((pair, index) => ({ ...pair, index }))

// Each pair has a time limit of its own: on a loaded machine all of them take longer than one test may.
it.each(pairs)(
  'random exact outputs are paid by the smallest inputs that suffice: $to for $from',
  async ({ index, ...pair }) => {
    for (const dollars of fc.sample(fc.integer({ min: -4, max: 5 }), { seed: seed + index, numRuns: 3 })) {
      const largest = 10n ** BigInt(Math.max(setUp.foreign.decimalsOf(pair.to) + dollars, 1))
      const amounts = fc.bigInt({ min: 1n, max: 1n + largest })
      const [amountOutRaw = 1n] = fc.sample(amounts, { seed: seed + index + dollars, numRuns: 1 })
      await setUp.expectSmallestInput(setUp.foreign, { ...pair, amountOutRaw })
    }
  },
)

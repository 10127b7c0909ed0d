import type { Address } from '@agio/core'
import fc from 'fast-check'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { recordTrial } from '../long/trials.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { arbitraryWorlds, type World } from './arbitraryWorlds.ts'
import { quoteWorlds, quoteWorldsOnChain, type WorldOutcome } from './quoteWorlds.ts'
import { longTests } from '../harness/timeLimits.ts'

const seed = randomSeed('worlds')

const extent = inject('extent')
const batchCount = extent === 'long' ? 25_000 : extent === 'exhaustive' ? 500 : 75
const batchSize = 40

describe('the curve of the DFX v2 / Stabull v1 family', () => {
  let owner: Owner
  let address: Address

  beforeAll(async () => {
    const [target] = inject('targets')
    if (!target) throw new Error('There is no local chain')
    owner = connectOwner(target.chains[84532])
    address = await owner.deploy('testing/FamilyCurve', [])
  })

  it(
    'our computation of random swaps equals the execution and the views of a contract, refusals and their reasons included',
    { timeout: longTests.randomQuotes },
    async () => {
      const outcomes = new Map<string, number>()
      for (let batch = 0; batch < batchCount; batch += 1) {
        const worlds = fc.sample(arbitraryWorlds(), { seed: seed + batch, numRuns: batchSize })
        const onChain = await quoteWorldsOnChain(owner.client, { address, worlds })
        const ours = quoteWorlds(worlds)
        expect(findDifferences(worlds, [ours, onChain]), `seed ${seed}`).toEqual([])
        for (const outcome of ours) {
          const name = typeof outcome === 'bigint' ? 'paid' : outcome
          outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
        }
      }
      const least = extent === 'integration' ? 1 : 10
      for (const name of ['paid', 'Curve/upper-halt', 'Curve/lower-halt', 'Curve/swap-convergence-failed', '']) {
        expect(outcomes.get(name) ?? 0, `seed ${seed}: ${name || 'without a reason'}`).toBeGreaterThanOrEqual(least)
      }
      const [paid = 0, worldCount] = [outcomes.get('paid'), batchCount * batchSize]
      expect(paid).toBeGreaterThan(worldCount / 4)
      if (extent !== 'long') return
      const [all, refused] = [worldCount, worldCount - paid].map((count) => count.toLocaleString('en')) as [
        string,
        string,
      ]
      recordTrial({
        trial: 'The curve of the DFX v2 / Stabull v1 family, computed',
        tried: `${all} random worlds, each with an execution or a view of a contract, by \`eth_call\``,
        result: `Differences: 0. ${refused} were refused, for the same reasons`,
      })
    },
  )
})

function findDifferences(
  worlds: readonly World[],
  [ours, onChain]: readonly [readonly WorldOutcome[], readonly WorldOutcome[]],
): readonly unknown[] {
  return worlds.flatMap((world, index) =>
    ours[index] === onChain[index] ? [] : [{ world, ours: ours[index], onChain: onChain[index] }],
  )
}

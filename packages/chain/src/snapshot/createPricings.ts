import type { Address, Pool } from '@agio/core'
import type { Hex } from 'viem'
import type { Probe } from '../reader/createReader.ts'
import { chooseProbe, withoutProbe } from './chooseProbe.ts'
import { createDecisions } from './createDecisions.ts'
import { judgeReading, toCurveState } from './judgeReading.ts'
import type { ProbedBlock } from './probePools.ts'
import type { PoolReading } from './readPoolStates.ts'
import type { PricingTerms } from './toPoolState.ts'

/**
 * Determines how each pool is priced, and proves at each block that we compute the pool's curve correctly.
 *
 * A ladder of a pool's own views is compared with our maths and with the curve of its family. This happens once for each pair
 * of code and parameters, at all healthy nodes. A pool that is priced by its curve is probed at every later block. If its view
 * disagrees, the pool is priced by its views, until the process ends if two nodes confirm it or the chain has one node.
 */
export function createPricings({ toPool, isSampled, ...dependencies }: createPricings.Dependencies) {
  const decisions = createDecisions(dependencies)
  const newest = new Map<Address, { readonly isProbed: boolean; readonly pool: Pool.Pool }>()

  function toProbe(pool: Address, blockHash: Hex): Probe {
    const last = newest.get(pool)
    return last?.isProbed === false ? withoutProbe(pool) : chooseProbe(pool, blockHash, last?.pool)
  }
  function priceOne(reading: PoolReading, verdict = judgeReading(reading)): Pool.Pool {
    const isGloballyFrozen = verdict === 'frozen'
    const pricing = decisions.find(reading.raw) ?? 'on-chain'
    if (pricing !== 'curve') return toPool(reading, { pricing, isGloballyFrozen })
    // Without a readable price, the curve cannot be computed.
    const isProven = verdict === 'agrees' || verdict === 'frozen'
    const curve = toCurveState(reading.raw, reading.curve)
    return toPool(reading, isProven ? { pricing, curve, isGloballyFrozen } : { pricing: 'on-chain' })
  }
  return {
    /** Lists the pools whose views differ from the curve that they return. */
    listDisproven: decisions.listDisproven,
    /** Returns the probe of a pool at a block, or an empty probe for a pool that its curve does not price. */
    toProbe,
    /**
     * Prices the pools of an earlier block, after a comparison of new pools with our maths. A probe that disagrees affects
     * only that block.
     */
    async price(readings: readonly PoolReading[], block: ProbedBlock): Promise<readonly Pool.Pool[]> {
      await decisions.decide(readings, block)
      return readings.map((reading) => priceOne(reading))
    },
    /**
     * Prices the pools of the newest block. A pool is disproven if its probe disagrees at two nodes, or at the only node of the
     * chain.
     */
    async priceNewest(readings: readonly PoolReading[], block: ProbedBlock): Promise<readonly Pool.Pool[]> {
      if (isSampled()) decisions.reconsider(readings, block)
      await decisions.decide(readings, block)
      const verdicts = readings.map(judgeReading)
      const disagreements = readings
        .filter(({ raw }, index) => decisions.find(raw) === 'curve' && verdicts[index] === 'disagrees')
        .map((reading) => ({ reading, probe: toProbe(reading.raw.pool, block.hash) }))
      await decisions.disprove(disagreements, block)
      return readings.map((reading, index) => {
        const pool = priceOne(reading, verdicts[index])
        const pricing = decisions.find(reading.raw)
        newest.set(pool.address, { pool, isProbed: pricing === undefined || pricing === 'curve' })
        return pool
      })
    },
  }
}

export declare namespace createPricings {
  type Dependencies = createDecisions.Dependencies & {
    readonly toPool: (reading: PoolReading, terms: PricingTerms) => Pool.Pool
    /** Returns whether unconfirmed decisions are made again at a block. */
    readonly isSampled: () => boolean
  }
}

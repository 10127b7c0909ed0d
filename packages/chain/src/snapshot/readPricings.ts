import type { Address, Pool } from '@agio/core'
import type { FactSource } from '../reader/createFactReader.ts'
import type { Tokens } from '../token/createTokens.ts'
import { chooseProbe } from './chooseProbe.ts'
import { hasPenalty, keyOf, toCurveState } from './judgeReading.ts'
import { probePools, type ProbedBlock } from './probePools.ts'
import { readPoolStates, type PoolReading } from './readPoolStates.ts'
import { toPoolState } from './toPoolState.ts'

/** How a pool is priced, by the views of one node. */
export type Finding = {
  /** The code and parameters of the pool at the node. */
  readonly key: string
  /** Undefined if the views prove nothing, for example because the pool is frozen. */
  readonly pricing: Pool.Pricing | undefined
  /** Whether the views of the pool differ from the curve that the pool returns. */
  readonly isDisproof: boolean
  /** Whether the node may have granted too little gas for the views. */
  readonly lacksGas: boolean
}

/**
 * Reads the states and the views of pools from one node, and returns how each pool is priced. The views of a node are
 * compared with the states of the same node, so a node cannot change how another node is judged.
 *
 * @throws the error of a node that could not answer
 */
export async function readPricings(
  source: FactSource,
  pools: readonly Address[],
  { block, tokens }: readPricings.Options,
): Promise<readonly Finding[]> {
  const probes = pools.map((pool) => chooseProbe(pool, block.hash, undefined))
  const { readings } = await readPoolStates(source, probes, { at: block.hash, tokens: withoutLoading(tokens) })
  const readable = pools.map((pool) => readings.get(pool)).filter((reading) => typeof reading === 'object')
  const findings = await findPricings(source, readable, block)
  const byPool = new Map(readable.map(({ raw }, index) => [raw.pool, findings[index]]))
  return pools.map((pool) => byPool.get(pool) ?? { key: `${pool} is unreadable`, ...nothing })
}

export declare namespace readPricings {
  type Options = { readonly block: ProbedBlock; readonly tokens: Tokens }
}

/** Returns how pools are priced, by the views of a node and the states that it returned. @throws the errors of the node */
export async function findPricings(
  source: FactSource,
  readings: readonly PoolReading[],
  block: ProbedBlock,
): Promise<readonly Finding[]> {
  const subjects = readings.map((reading) => {
    const { raw, curve } = reading
    // The view in the comparison enforces the pool's own maximum ages.
    const pool = toPoolState(reading, {
      pricing: 'on-chain',
      toFeedTerms: ({ maxAge }) => ({ maxAgeSeconds: maxAge }),
    })
    return { pool, isPenaltyFree: !hasPenalty(raw), curve: toCurveState(raw, curve) }
  })
  const probed = await probePools(source, subjects, block)
  return readings.map(({ raw, curve }, index) => {
    const { pricing, lacksGas } = probed[index] ?? nothing
    const isOnChain = pricing === 'on-chain'
    // Without a probe, it is unknown whether the curve fits the pool.
    if (isOnChain && curve?.amount === 0n) return { key: keyOf(raw), ...nothing }
    return { key: keyOf(raw), pricing, isDisproof: isOnChain && curve?.isReadable === true, lacksGas }
  })
}

const nothing = { pricing: undefined, isDisproof: false, lacksGas: false } as const

/** A node may return tokens that do not exist. Only the reads of all pools load tokens. */
export function withoutLoading(tokens: Tokens): Tokens {
  return { ...tokens, load: () => Promise.resolve() }
}

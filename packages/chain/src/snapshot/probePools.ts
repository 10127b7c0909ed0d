import { quoteExactIn, ServiceError, type Address, type PoolState, type Pricing } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Head } from '../head/Head.ts'
import type { Reader, Result } from '../reader/createReader.ts'
import { readEach } from '../reader/readEach.ts'
import { decodeResult } from '../reader/decodeResult.ts'

// One unit, odd amounts, and shares of the reserve up to where the halt refuses. The unit alone separates most pools of the DFX
// family from ours: they return zero where ours revert.
const shares = [0n, 1n, 997n, 99_991n, 250_000n, 900_000n] as const

/**
 * Determines where each pool is priced: locally if our maths returns the same as the pool's view to the wei, reverts included,
 * for a ladder of amounts in both directions at one block; else on chain. It never depends on a name.
 * A pool that reverts on every probe, because it is frozen or its price is stale, is left out: nothing is proved.
 *
 * Each pool is probed by a call of its own, since nodes limit a call's gas; all of them travel in one batch.
 */
export async function probePools(
  reader: Reader,
  pools: readonly PoolState[],
  block: Pick<Head, 'hash' | 'timestampSeconds'>,
): Promise<ReadonlyMap<Address, Pricing>> {
  const pricings = await Promise.all(pools.map((pool) => probePool(reader, pool, block)))
  const decided = pools.flatMap(({ address }, index) => {
    const pricing = pricings[index]
    return pricing === undefined ? [] : [[address, pricing] as const]
  })
  return new Map(decided)
}

async function probePool(
  reader: Reader,
  pool: PoolState,
  block: Pick<Head, 'hash' | 'timestampSeconds'>,
): Promise<Pricing | undefined> {
  const probes = probesOf(pool)
  const [results] = await readEach([probes], async () => {
    return [(await reader.aggregate(probes.map(toCall), block.hash)).results]
  })
  // The view of a pool may use up the gas of a whole call, which our maths does not.
  if (!results) return 'on-chain'
  const isAgreeing = probes.every((probe, index) => agrees(probe, results[index], block.timestampSeconds))
  if (!isAgreeing) return 'on-chain'
  return results.some(({ success }) => success) ? 'local' : undefined
}

type Probe = {
  readonly pool: PoolState
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountInRaw: bigint
}

function probesOf(pool: PoolState): Probe[] {
  const directions = [
    [pool.base, pool.quote],
    [pool.quote, pool.base],
  ] as const
  return directions.flatMap(([origin, target]) =>
    shares.map((share) => ({
      pool,
      tokenIn: origin.token.address,
      tokenOut: target.token.address,
      amountInRaw: (origin.reserve * share) / 1_000_000n + 1n,
    })),
  )
}

function toCall({ pool, tokenIn, tokenOut, amountInRaw }: Probe) {
  const args = [tokenIn, tokenOut, amountInRaw] as const
  return { target: pool.address, data: encodeFunctionData({ abi: poolAbi, functionName: 'viewOriginSwap', args }) }
}

function agrees({ pool, ...swap }: Probe, result: Result | undefined, nowSeconds: bigint): boolean {
  try {
    const { amountOutRaw } = quoteExactIn(pool, swap, nowSeconds)
    return result?.success === true && decodeResult(result, poolAbi, 'viewOriginSwap') === amountOutRaw
  } catch (error) {
    // Maths that throws another error than a refusal does not fit the pool.
    return error instanceof ServiceError && result?.success === false
  }
}

import type { ChainId, ConvertLadder, PoolDetails } from '@agio/sdk'
import { keepPreviousData, skipToken, useQuery, type QueryKey } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { shown } from '../service/agio.ts'
import { findAgioError } from '../service/findAgioError.ts'
import { queryClient, trpc } from '../service/trpc.ts'
import { useStream } from '../service/useStream.ts'
import { listEvenAmounts } from './listEvenAmounts.ts'

const refreshMs = 30_000
const failedRefreshMs = 60_000
// Curves are read again when the pool changes; what changes nothing that is shown, such as its parameters, is seen after this.
const curveRefreshMs = 300_000
const steps = 50

/** Watches a pool, or reads it every 30 s while it cannot be watched, and reads what conversions in both directions pay whenever the pool has changed. */
export function usePool(poolAddress: `0x${string}`, chainId: ChainId) {
  const [isPool, setIsPool] = useState(false)
  const isLive = useStream(
    isPool ? `pool ${chainId} ${poolAddress}` : undefined,
    (options) => shown.watchPool({ poolAddress, chainId }, options),
    (value) =>
      queryClient.setQueryData<PoolDetails>(trpc.pools.get.queryKey({ poolAddress, chainId }) as QueryKey, value),
  )
  const details = useQuery(
    trpc.pools.get.queryOptions(
      { poolAddress, chainId },
      {
        // An address that is no pool stays none.
        refetchInterval: ({ state: { error } }) =>
          isLive || findAgioError(error)?.retryable === false ? false : refreshMs,
      },
    ),
  )
  if (details.data && !isPool) setIsPool(true)
  const pool = details.data
  // A pool that the service has priced itself stays one, also while it is frozen.
  const [wasLocal, setLocal] = useState(false)
  if (pool?.maxAmountIn && !wasLocal) setLocal(true)
  const forward = useLadder(pool, pool && { ...toDirection(pool, 'forward'), steps })
  // A curve of a foreign pool is many calls of its view: one direction at a time.
  const hasEnded = forward.data !== undefined || forward.error !== null
  const back = useLadder(pool, pool && hasEnded ? { ...toDirection(pool, 'back'), steps } : undefined)
  return { details, ladders: [forward, back] as const, wasLocal }
}

/** Reads what evenly spaced amounts pay in both directions, up to the largest of the ladders; undefined without one. */
export function useEvenLadders(pool: PoolDetails, ladders: readonly (ConvertLadder | undefined)[]) {
  const [first, second] = ladders.map((ladder) => ladder && listEvenAmounts(ladder))
  const forward = useLadder(pool, first && { ...toDirection(pool, 'forward'), amounts: [...first] })
  const back = useLadder(pool, second && { ...toDirection(pool, 'back'), amounts: [...second] })
  return [first && forward, second && back] as const
}

type LadderInput = ReturnType<typeof toDirection> & { readonly steps?: number; readonly amounts?: string[] }

/** Reads a ladder, and again when its pool has changed. Without a request it reads nothing. */
function useLadder(pool: PoolDetails | undefined, input: LadderInput | undefined) {
  const ladder = useQuery(
    trpc.convert.ladder.queryOptions(input ?? skipToken, {
      staleTime: curveRefreshMs,
      refetchInterval: ({ state: { error } }) => (error ? failedRefreshMs : curveRefreshMs),
      placeholderData: keepPreviousData,
    }),
  )
  const { refetch } = ladder
  const state = pool && input && fingerprint(pool)
  const previous = useRef(state)
  useEffect(() => {
    const hasChanged = previous.current !== undefined && state !== undefined && previous.current !== state
    previous.current = state
    if (hasChanged) void refetch()
  }, [state, refetch])
  return ladder
}

function toDirection({ chainId, address: poolAddress, token0, token1 }: PoolDetails, direction: 'forward' | 'back') {
  const [tokenIn, tokenOut] = direction === 'forward' ? [token0, token1] : [token1, token0]
  return { chainId, poolAddress, tokenIn: tokenIn.address, tokenOut: tokenOut.address }
}

/** What the curves of a pool depend on. */
function fingerprint({ address, reserves, oracles, maxAmountIn, fee }: PoolDetails): string {
  const prices = [oracles.token0, oracles.token1].map(({ usd, stale }) => [usd, stale])
  return JSON.stringify([address, reserves, prices, maxAmountIn, fee])
}

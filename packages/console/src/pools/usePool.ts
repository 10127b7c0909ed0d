import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { findAgioError, toRetryDelayMs, useAgio, usePrices, useStream } from '@agio/react/internal'
import type { ChainId, ConvertLadder, PoolDetails } from '@agio/sdk'
import { useEffect, useRef, useState } from 'react'
import { trpc } from '../service/trpc.ts'
import { listEvenAmounts } from './Pool.ts'

const refreshMs = 30_000
// Curves are read again when the pool changes. Changes that are not shown, such as parameters, are seen after this
// time.
const curveRefreshMs = 300_000
const steps = 50

/**
 * Watches a pool, or polls it every 30 s if it cannot be watched. Reads the curves of both directions when the pool has
 * changed.
 */
export function usePool(poolAddress: `0x${string}`, chainId: ChainId) {
  const queryClient = useQueryClient()
  const { reader } = useAgio()
  const [isPool, setIsPool] = useState(false)
  const { isLive } = useStream(
    isPool ? `pool ${chainId} ${poolAddress}` : undefined,
    (options) => reader.watchPool({ poolAddress, chainId }, options),
    (value) => queryClient.setQueryData<PoolDetails>(trpc.pools.get.queryKey({ poolAddress, chainId }), value),
  )
  const details = useQuery(
    trpc.pools.get.queryOptions(
      { poolAddress, chainId },
      {
        // Not polled for an address that is not a pool.
        refetchInterval: ({ state: { error } }) =>
          !isLive && findAgioError(error)?.retryable !== false && (toRetryDelayMs(error) ?? refreshMs),
      },
    ),
  )
  if (details.data && !isPool) setIsPool(true)
  const pool = details.data
  const forward = useLadder(pool, pool && { ...toDirection(pool, 'forward'), steps })
  // The curve of a foreign pool takes many view calls, so one direction is read at a time.
  const hasEnded = forward.data !== undefined || forward.error !== null
  const back = useLadder(pool, pool && hasEnded ? { ...toDirection(pool, 'back'), steps } : undefined)
  return { details, isLive, ladders: [forward, back] as const }
}

/** Reads the outputs of evenly spaced amounts in both directions, up to the largest amount of each ladder. */
export function useEvenLadders(pool: PoolDetails, ladders: readonly (ConvertLadder | undefined)[]) {
  const [first, second] = ladders.map((ladder) => ladder && listEvenAmounts(ladder))
  const forward = useLadder(pool, first && { ...toDirection(pool, 'forward'), amounts: [...first] })
  const back = useLadder(pool, second && { ...toDirection(pool, 'back'), amounts: [...second] })
  return [first && forward, second && back] as const
}

type LadderInput = ReturnType<typeof toDirection> & { readonly steps?: number; readonly amounts?: string[] }

/** Reads a ladder, and reads it again when its pool has changed. Reads nothing without an input. */
function useLadder(pool: PoolDetails | undefined, input: LadderInput | undefined) {
  const ladder = useQuery(
    trpc.convert.ladder.queryOptions(input ?? skipToken, {
      staleTime: curveRefreshMs,
      refetchInterval: ({ state: { error } }) => toRetryDelayMs(error) ?? curveRefreshMs,
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

/** Returns the state that the curves of a pool depend on. */
function fingerprint({ address, reserves, oracles, maxAmountIn, fee }: PoolDetails): string {
  const prices = [oracles.token0, oracles.token1].map(({ usd, stale }) => [usd, stale])
  return JSON.stringify([address, reserves, prices, maxAmountIn, fee])
}

const pageSize = 20
// The list is only for selection. The selected pool is refreshed more often.
const listRefreshMs = 120_000

/** Reads a page of a network's pools, the prices of their tokens, and the hours of their markets. */
export function usePools(chainId: ChainId) {
  const [page, setPage] = useState(1)
  const list = useQuery(
    trpc.pools.list.queryOptions(
      { chainId, page, limit: pageSize },
      { refetchInterval: toListInterval, placeholderData: keepPreviousData },
    ),
  )
  const prices = usePrices({ chainId }, { isLive: true })
  const hours = useQuery(trpc.market.hours.queryOptions({ chainId }, { refetchInterval: toListInterval }))
  return { list, prices, hours, page, setPage, pageSize }
}

function toListInterval({ state: { error } }: { readonly state: { readonly error: unknown } }): number {
  return toRetryDelayMs(error) ?? listRefreshMs
}

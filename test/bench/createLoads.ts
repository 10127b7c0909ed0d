import type { ChainId } from '@agio/core'
import type { MarketPool } from './deployManyPools.ts'
import type { Load } from './Load.ts'

const count = 1000

/** A thousand previews of random pools, directions and amounts: over REST, and over tRPC as its client sends them. */
export function createLoads({ chainId, pools, apiKey }: createLoads.Settings): {
  readonly rest: Load
  readonly trpc: Load
} {
  const inputs = Array.from({ length: count }, () => {
    const { address: poolAddress, tokens } = pools[Math.floor(Math.random() * pools.length)] as MarketPool
    const [tokenIn, tokenOut] = Math.random() < 0.5 ? tokens : tokens.toReversed()
    return { chainId, poolAddress, tokenIn, tokenOut, amountIn: (1 + Math.random() * 10_000).toFixed(6) }
  })
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  return {
    rest: inputs.map((input) => ({
      method: 'POST',
      path: '/api/v1/convert/preview',
      headers,
      body: JSON.stringify(input),
    })),
    trpc: inputs.map((input) => ({
      method: 'GET',
      path: `/trpc/convert.preview?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input }))}`,
      headers,
    })),
  }
}

export declare namespace createLoads {
  type Settings = { readonly chainId: ChainId; readonly pools: readonly MarketPool[]; readonly apiKey: string }
}

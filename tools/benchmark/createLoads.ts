import type { Network } from '@agio/core'
import type { MarketPool } from '../../test/scale/deployManyPools.ts'

/** Requests to send in turn. */
export type Load = readonly {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}[]

const count = 1000

/** How many previews a batch has. */
export const callsPerBatch = 10

/**
 * A thousand requests of previews of random pools, directions and amounts: over REST, and over tRPC as its client sends them, single
 * or in batches; over REST through two pools, between two tokens that are not the dollar; and mixed, a third of the requests each over
 * REST, over tRPC, and in batches. The requests take the keys in turn.
 */
export function createLoads({ chainId, pools, apiKeys }: Settings): Loads {
  const inputs = listOf(count, () => {
    const { address: poolAddress, tokens } = pick(pools)
    const [tokenIn, tokenOut] = Math.random() < 0.5 ? tokens : tokens.toReversed()
    return { chainId, poolAddress, tokenIn, tokenOut, amountIn: randomAmount() }
  })
  const headersOf = apiKeys.map((apiKey) => ({ 'x-api-key': apiKey, 'content-type': 'application/json' }))
  const toHeaders = (index: number) => headersOf[index % headersOf.length] ?? {}
  const toRest = (input: object, index: number) => {
    const headers = toHeaders(index)
    return { method: 'POST', path: '/api/v1/convert/preview', headers, body: JSON.stringify(input) } as const
  }
  const toTrpc = (batch: readonly object[], index: number) => {
    const names = batch.map(() => 'convert.preview').join()
    const input = encodeURIComponent(JSON.stringify(Object.fromEntries(batch.entries())))
    return { method: 'GET', path: `/trpc/${names}?batch=1&input=${input}`, headers: toHeaders(index) } as const
  }
  const rest = inputs.map(toRest)
  const trpc = inputs.map((input, index) => toTrpc([input], index))
  const pickBatch = () => listOf(callsPerBatch, () => pick(inputs))
  const batch = listOf(count, (index) => toTrpc(pickBatch(), index))
  return {
    rest,
    trpc,
    batch,
    mixed: rest.flatMap((request, index) => [request, trpc[index] ?? request, batch[index] ?? request]),
    twoHops: listOf(count, (index) => {
      const first = pick(pools)
      const second = pick(pools.filter((pool) => pool !== first))
      const [tokenIn, tokenOut] = [first, second].map(({ tokens: [base] }) => base)
      return toRest({ chainId, tokenIn, tokenOut, amountIn: randomAmount() }, index)
    }),
  }
}

/** The pools have a base token each, against the dollar. */
type Settings = {
  readonly chainId: Network.ChainId
  readonly pools: readonly MarketPool[]
  readonly apiKeys: readonly string[]
}

export type Loads = Readonly<Record<'rest' | 'trpc' | 'batch' | 'mixed' | 'twoHops', Load>>

function randomAmount(): string {
  return (1 + Math.random() * 10_000).toFixed(6)
}

function listOf<Item>(length: number, create: (index: number) => Item): readonly Item[] {
  return Array.from({ length }, (_, index) => create(index))
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}

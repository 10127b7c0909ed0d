import { createAgio, isAgioError, type AgioApi, type AgioError, type ChainId } from '@agio/sdk'
import { createAgioAdmin } from '@agio/sdk/admin'

const agio = createAgio({ url: 'https://agio.example', getApiKey: async () => 'key' })
const admin = createAgioAdmin({ url: 'https://agio.example', adminKey: 'key' })

/** Shows that what the calls return has the types that viem and wagmi take. */
export async function read(signal: AbortSignal): Promise<readonly [ChainId, `0x${string}`, `0x${string}`, string]> {
  const { pools } = await agio.api.pools.list.query({ chainId: 84532, limit: 10 }, { signal })
  const [pool] = pools
  if (!pool) throw new Error('There is no pool')
  const { token0, token1, chainId } = pool
  const { quote } = await agio.api.convert.quote.query({
    chainId,
    tokenIn: token0.address,
    tokenOut: token1.address,
    amountIn: '100',
  })
  const built = await agio.api.transaction.buildConvert.query({ quote, userAddress: token0.address })
  const { totals } = await admin.stats.query()
  return [chainId, built.transaction.to, built.transaction.data, `${totals.calls}`]
}

/** Shows that `code` narrows an error to the fields of its code. */
export function explain(error: unknown): string {
  if (!isAgioError(error)) return 'unknown'
  if (error.code === 'svc/stale-price') return `${error.details.oracle}: ${error.details.maxAgeSeconds + 1}`
  if (error.code === 'wallet/wrong-chain') return String(error.details.expected + 1)
  return error.retryable ? error.action : error.message
}

/** Shows that names of the types can be used. */
export type Prices = Awaited<ReturnType<AgioApi['oracle']['prices']['query']>>
export type Stale = AgioError<'svc/stale-price'>['details']['updatedAt']

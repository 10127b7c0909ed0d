import {
  createAgio,
  isAgioError,
  type AgioApi,
  type AgioError,
  type AgioQuote,
  type AgioQuoteData,
  type ChainId,
  type Step,
  type Wallet,
} from '@agio/sdk'
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

/** Shows that `kind` and `status` narrow a step, that a step is stored as JSON, and that a conversion gives its receipt. */
export async function convert(wallet: Wallet, token: `0x${string}`): Promise<`0x${string}`> {
  const quote = await agio.quote({ chainId: 84532, tokenIn: token, tokenOut: token, amountOut: '100', slippageBps: 10 })
  const conversion = agio.convert({ quote: await quote.refresh(), wallet, onQuoteExpired: 'fail', approval: 'approve' })
  for await (const step of conversion) {
    if (step.kind === 'approve') console.log(step.purpose, step.amount)
    if (step.kind === 'confirm' && step.status === 'done') console.log(step.receipt.amountOut)
    if (step.status === 'failed') console.log(step.error.code)
  }
  const stored = JSON.parse(JSON.stringify(quote)) as typeof quote
  const resumed: Step = JSON.parse('{}')
  await agio.resume(resumed, { wallet, signal: new AbortController().signal })
  await agio.refresh(stored)
  return (await conversion).transactionHash
}

/** Shows that `mode` narrows the limit of a quote, also of a stored quote. */
export function limit(quote: AgioQuote | AgioQuoteData): string {
  return quote.mode === 'exact-in' ? `at least ${quote.minAmountOut.trim()}` : `at most ${quote.maxAmountIn.trim()}`
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

import type { AgioApi } from './api/AgioApi.ts'
import type { CallOptions } from './api/procedures.ts'
import type { AgioOptions } from './client/AgioOptions.ts'
import { createCaller } from './client/createCaller.ts'
import type { Conversion } from './convert/Conversion.ts'
import type { ConvertOptions, ResumeOptions } from './convert/ConvertOptions.ts'
import { createTurns } from './convert/createTurns.ts'
import { resumeConversion, startConversion } from './convert/startConversion.ts'
import type { Step } from './convert/Step.ts'
import { createWatches, type Watches } from './watch/createWatches.ts'
import type { AgioQuote, AgioQuoteData, QuoteRequest } from './quote/AgioQuote.ts'
import { refreshQuote, requestQuote } from './quote/requestQuote.ts'
import { replaceTransaction, type ReplaceOptions, type ReplaceTarget } from './replace/replaceTransaction.ts'

/**
 * Creates the client of a service.
 *
 * @throws TypeError for a URL that has a key or credentials, and for two keys
 *
 * @example
 * const agio = createAgio({ url: 'https://agio.example', apiKey: process.env.AGIO_API_KEY })
 * const { pools } = await agio.api.pools.list.query({ chainId: 84532 })
 */
export function createAgio(options: AgioOptions): Agio {
  const settings = { ...options, key: toKey(options) }
  const api = createCaller(settings) as AgioApi
  const refresh: Agio['refresh'] = async (quote, call) => await refreshQuote(api, quote, call)
  const unretried = createCaller({ ...settings, maxRetries: 0 }) as AgioApi
  const service = { api, unretried, refresh, turns: createTurns() }
  return {
    ...createWatches({ ...settings, api }),
    api,
    quote: async (request, call) => await requestQuote(api, request, call),
    refresh,
    convert: (conversion) => startConversion(service, conversion),
    resume: (step, conversion) => resumeConversion(service, step, conversion),
    speedUp: async (target, call) => await replaceTransaction(api, { target, kind: 'speed-up', ...call }),
    cancel: async (target, call) => await replaceTransaction(api, { target, kind: 'cancel', ...call }),
  }
}

/** The client of a service. */
export type Agio = Watches & {
  /** All operations, as a typed tRPC client: `agio.api.pools.list.query(input, { signal })`. */
  readonly api: AgioApi
  /**
   * Quotes a conversion of an exact amount to pay or to receive, and compares the quote with the request.
   *
   * @throws `AgioError`, of `convert.quote` of the service, or `convert/mismatch` for a quote of something else
   *
   * @example
   * const quote = await agio.quote({ chainId: 84532, tokenIn, tokenOut, amountIn: '100' })
   * console.log(`${quote.amountOut} ${quote.tokenOut.symbol}, at least ${quote.minAmountOut}`)
   */
  quote(request: QuoteRequest, options?: CallOptions): Promise<AgioQuote>
  /**
   * Renews a quote, also one that was stored as JSON, at the limit that was accepted.
   *
   * @throws `AgioError`, with `svc/below-min-target` or `svc/above-max-input` if the market is beyond the limit
   *
   * @example
   * const renewed = await agio.refresh(JSON.parse(stored))
   */
  refresh(quote: AgioQuote | AgioQuoteData, options?: CallOptions): Promise<AgioQuote>
  /**
   * Converts at a quote by a wallet: await it for the receipt, or iterate it for its steps. It takes the shortest way that the
   * wallet and the token can: one batch, or a signature in the place of an approval, or an approval. All that the service builds
   * is checked against the quote before the wallet is asked. Conversions of one token by one account take turns.
   *
   * @throws `AgioError`, from the promise and from the iteration: `wallet/*`, `convert/*`, `network/*`, those of the service, and
   * the error that the conversion reverted with
   *
   * @example
   * const receipt = await agio.convert({ quote, wallet })
   * console.log(`Received ${receipt.amountOut}`)
   *
   * @example
   * const onStep = (step: Step) => localStorage.setItem('conversion', JSON.stringify(step))
   * for await (const step of agio.convert({ quote, wallet, onStep })) show(`${step.kind} ${step.status}`)
   */
  convert(options: ConvertOptions): Conversion
  /**
   * Goes on with a conversion from a stored step, the newest or an older one. It sends nothing again that is on its way or mined,
   * and asks for no signature again that was given. Where the wallet was asked and its response is not known, it looks for the
   * transaction until the deadline of the quote has passed, and only then asks again.
   *
   * @throws `AgioError`: `convert/invalid-step` at once, and as `convert`
   *
   * @example
   * const stored = localStorage.getItem('conversion')
   * if (stored) await agio.resume(JSON.parse(stored), { wallet })
   */
  resume(step: Step, options: ResumeOptions): Conversion
  /**
   * Speeds up a pending transaction, of a conversion or of an approval: sends the same call again with the same nonce and higher
   * fees, and returns its hash. What the service builds is compared with what the node of the wallet has pending, and the wallet is
   * asked once. The chain decides which of both is mined: a conversion that runs or is resumed follows that one to its end.
   *
   * @throws `AgioError`: `svc/already-mined` if it was mined meanwhile, `svc/transaction-not-found`, `convert/mismatch`,
   * `wallet/nonce-changed` if the wallet chose another nonce, and other `wallet/*` and `network/*`
   *
   * @example
   * const hash = await agio.speedUp(step, { wallet })
   *
   * @example
   * const hash = await agio.speedUp({ chainId: 84532, transactionHash }, { wallet })
   */
  speedUp(target: ReplaceTarget, options: ReplaceOptions): Promise<`0x${string}`>
  /**
   * Cancels a pending transaction: sends an empty transfer of the wallet to itself with the same nonce and higher fees, and returns
   * its hash. If that one is mined, the conversion ends with `convert/replaced`.
   *
   * @throws `AgioError` as `speedUp`
   *
   * @example
   * const hash = await agio.cancel(step, { wallet })
   */
  cancel(target: ReplaceTarget, options: ReplaceOptions): Promise<`0x${string}`>
}

function toKey({ apiKey, getApiKey }: AgioOptions): createCaller.Key | undefined {
  if (apiKey !== undefined && getApiKey) throw new TypeError('Cannot use both apiKey and getApiKey')
  const get = apiKey === undefined ? getApiKey : () => apiKey
  return get && { header: 'x-api-key', get }
}

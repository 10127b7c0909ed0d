import type { AgioApi } from './api/AgioApi.ts'
import type { CallOptions } from './api/procedures.ts'
import type { AgioOptions } from './AgioOptions.ts'
import { createCaller } from './client/createCaller.ts'
import type { Conversion } from './conversion/Conversion.ts'
import type { ConvertOptions, ResumeOptions } from './conversion/ConvertOptions.ts'
import { createTurns } from './conversion/createTurns.ts'
import { createReplacements, type Replacement } from './conversion/Replacement.ts'
import { resumeConversion, startConversion } from './conversion/startConversion.ts'
import type { Step } from './conversion/Step.ts'
import { createWatches, type Watches } from './stream/createWatches.ts'
import type { AgioQuote, AgioQuoteData, QuoteRequest } from './quote/AgioQuote.ts'
import { parseContracts } from './quote/PinnedContracts.ts'
import { refreshQuote, requestQuote } from './quote/requestQuote.ts'
import { replaceTransaction, type ReplaceOptions, type ReplaceTarget } from './replacement/replaceTransaction.ts'
import { assertCapabilities } from './wallet/batches.ts'
import { connectNodes } from './wallet/connectNodes.ts'

/**
 * Creates the client of a service.
 *
 * @throws TypeError for a URL with a key or credentials, for both `apiKey` and `getApiKey`, and for invalid `contracts`
 * and `nodes`
 *
 * @example
 * const agio = createAgio({ url: 'https://agio.example', apiKey: process.env.AGIO_API_KEY })
 * const { pools } = await agio.api.pools.list.query({ chainId: 84532 })
 */
export function createAgio(options: AgioOptions): Agio {
  const callerOptions = { ...options, key: toKey(options) }
  const api = createCaller(callerOptions) as AgioApi
  const contracts = parseContracts(options.contracts)
  const quoting = { api, contracts }
  const refresh: Agio['refresh'] = async (quote, call) => await refreshQuote(quoting, quote, call)
  const unretried = createCaller({ ...callerOptions, maxRetries: 0 }) as AgioApi
  const nodes = connectNodes(options)
  const replacements = createReplacements()
  const service = { ...quoting, url: options.url, nodes, unretried, refresh, turns: createTurns(), replacements }
  const replace = async (kind: Replacement['kind'], target: ReplaceTarget, call: ReplaceOptions) =>
    await replaceTransaction(service, { target, kind, onSent: replacements.announce, ...call })
  return {
    ...createWatches({ ...callerOptions, ...quoting }),
    api,
    quote: async (request, call) => await requestQuote(quoting, request, call),
    refresh,
    convert: (conversion) => startConversion(service, assertCapabilities(conversion)),
    resume: (step, conversion) => resumeConversion(service, step, assertCapabilities(conversion)),
    speedUp: async (target, call) => await replace('speed-up', target, call),
    cancel: async (target, call) => await replace('cancel', target, call),
  }
}

/** The client of a service. */
export type Agio = Watches & {
  /** All operations, as a typed tRPC client: `agio.api.pools.list.query(input, { signal })`. */
  readonly api: AgioApi
  /**
   * Quotes a conversion of an exact amount to pay or an exact amount to receive. Checks that the quote matches the
   * request.
   *
   * @throws `AgioError`: the errors of `convert.quote`, or `convert/mismatch` for a quote that differs from the request
   *
   * @example
   * const quote = await agio.quote({ chainId: 84532, tokenIn, tokenOut, amountIn: '100' })
   * console.log(`${quote.amountOut} ${quote.tokenOut.symbol}, at least ${quote.minAmountOut}`)
   */
  quote(request: QuoteRequest, options?: CallOptions): Promise<AgioQuote>
  /**
   * Requotes at current prices and keeps the accepted `minAmountOut` or `maxAmountIn`. Also takes a quote that was
   * stored as JSON.
   *
   * @throws `AgioError`: `svc/below-min-target` or `svc/above-max-input` if the market is beyond the limit
   *
   * @example
   * const renewed = await agio.refresh(JSON.parse(stored))
   */
  refresh(quote: AgioQuote | AgioQuoteData, options?: CallOptions): Promise<AgioQuote>
  /**
   * Converts at a quote with a wallet. Await the conversion for the receipt, or iterate it for its steps. It takes the
   * shortest way that the wallet and the token support: one batch, a signature instead of an approval, or an approval.
   * Everything that the service builds is checked against the quote before the wallet is asked. Conversions of the same
   * token and account run one after the other.
   *
   * @throws `AgioError`, from the promise and from the iteration: `wallet/*`, `convert/*`, `network/*`, errors of the
   * service, and the error of a revert
   *
   * @example
   * const receipt = await agio.convert({ quote, wallet })
   * console.log(`Received ${receipt.amountOut}`)
   *
   * @example
   * const onStep = (step: Step) => localStorage.setItem(`conversion:${step.conversionId}`, JSON.stringify(step))
   * for await (const step of agio.convert({ quote, wallet, onStep })) show(`${step.kind} ${step.status}`)
   */
  convert(options: ConvertOptions): Conversion
  /**
   * Resumes a conversion from a stored step: the newest or an older one. It does not resend transactions that are
   * pending or mined, and does not ask again for signatures that were given. If the wallet did not respond to a
   * request, it looks for the transaction until the deadline of the quote has passed. Only then does it ask again.
   *
   * @throws `AgioError`: `convert/invalid-step` at once, and the errors of `convert`
   *
   * @example
   * const stored = localStorage.getItem(`conversion:${conversionId}`)
   * if (stored) await agio.resume(JSON.parse(stored), { wallet })
   *
   * @example
   * await agio.resume(step, { wallet, expected: { tokenIn, tokenOut, amountIn: '100', minAmountOut: '65' } })
   */
  resume(step: Step, options: ResumeOptions): Conversion
  /**
   * Speeds up a pending transaction of a conversion or an approval. It sends the same call again with the same nonce
   * and higher fees, and returns the new hash. The replacement is checked against the pending transaction, which is
   * read from the node of the wallet. The wallet prompts once. The chain decides which of the two transactions is
   * mined. A conversion that runs or is resumed follows that transaction. A running conversion of this client publishes a
   * step with the new hash before it is returned: to replace the newest transaction after a reload, pass the newest step.
   *
   * @throws `AgioError`: `svc/already-mined` if it was mined in the meantime, `svc/transaction-not-found`,
   * `convert/mismatch`, `wallet/nonce-changed` if the wallet chose another nonce, and other `wallet/*` and `network/*`
   *
   * @example
   * const hash = await agio.speedUp(step, { wallet })
   *
   * @example
   * const hash = await agio.speedUp({ chainId: 84532, transactionHash }, { wallet })
   */
  speedUp(target: ReplaceTarget, options: ReplaceOptions): Promise<`0x${string}`>
  /**
   * Cancels a pending transaction. It sends an empty transfer of the wallet to itself with the same nonce and higher
   * fees, and returns the hash of the transfer. If the transfer is mined, the conversion ends with `convert/replaced`.
   *
   * @throws `AgioError`: the errors of `speedUp`
   *
   * @example
   * const hash = await agio.cancel(step, { wallet })
   */
  cancel(target: ReplaceTarget, options: ReplaceOptions): Promise<`0x${string}`>
}

function toKey({ apiKey, getApiKey }: AgioOptions): createCaller.Key | undefined {
  if (apiKey !== undefined && getApiKey) throw new TypeError('Pass either apiKey or getApiKey, not both')
  const get = apiKey === undefined ? getApiKey : () => apiKey
  return get && { header: 'x-api-key', get }
}

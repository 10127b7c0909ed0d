import type { LocalChain } from '@agio/localnet'
import { fillPath } from '../../test/harness/createRestCaller.ts'
import { isMutation } from '../../test/harness/createTrpcCaller.ts'
import { findOperation } from '../../test/harness/openApi.ts'
import { validInputs } from '../../test/harness/validInputs.ts'
import type { Headers } from './FuzzRequest.ts'

type Input = Readonly<Record<string, unknown>>

const application = { name: 'Shop', email: 'dev@shop.example', useCase: 'payouts', expectedVolume: '1,000 a day' }
const limits = { requests: 1000, windowSeconds: 60, burstPerSecond: 50, monthlyQuota: 5_000_000 }
const restrictions = {
  scopes: ['read', 'build'],
  expiresAt: '2099-01-31T00:00:00Z',
  allowedCidrs: ['203.0.113.0/24', '2001:db8::1'],
  isCidrDryRun: true,
  allowedOrigins: ['https://app.example'],
}

/** Valid calls of every operation: over REST, and over tRPC in each form that a link of its client sends. */
export function createValidCalls(chain: LocalChain, { signed, quoted, keyIds }: Options): readonly ValidCall[] {
  const inputs = validInputs(chain)
  const { tokenIn, tokenOut, amountIn } = inputs['convert.preview']
  const sent = { chainId: chain.chainId, signedTransaction: signed }
  const conversion = { ...sent, tokenIn, tokenOut, amountIn, expectedAmountOut: '650.874400' }
  // No tokens: a pause of a pair would end the quotes of other tests.
  const pair = { chainId: chain.chainId, tokenA: chain.deployment.router, tokenB: chain.deployment.faucet }
  const unknown = { chainId: chain.chainId, transactionHash: `0x${'12'.repeat(32)}` }
  const calls: Readonly<Record<string, Input>> = {
    ...inputs,
    getOraclePricesOfDefaultChain: {},
    'transaction.status': unknown,
    // By a sender that has not sent it yet: without one the service looks for the transaction for a second.
    'transaction.track': { ...unknown, from: inputs['transaction.nonce'].address, nonce: 1_000_000 },
    'transaction.buildReplace': { ...unknown, kind: 'cancel' },
    'convert.receipt': unknown,
    'transaction.broadcast': sent,
    'transaction.broadcastConvert': conversion,
    'swap.execute': conversion,
    'webhooks.create': { url: 'https://shop.example/webhooks' },
    'webhooks.delete': { id: 'wh_unknown' },
    'webhooks.rotate': { id: 'wh_unknown' },
    'webhooks.deliveries': { id: 'wh_unknown', status: 'given-up', limit: 5 },
    'webhooks.replay': { id: 'wh_unknown' },
    'webhooks.test': { id: 'wh_unknown' },
    'webhooks.watch': { ...unknown, from: inputs['transaction.nonce'].address, nonce: 1_000_000 },
    'admin.stats': { month: '2026-11' },
    'admin.requests': { operation: 'convert.preview', limit: 10 },
    'keys.rotate': { overlapSeconds: 60 },
    'admin.keys.create': { ...application, tier: 'production', limits, ...restrictions },
    'admin.keys.list': {},
    'admin.keys.update': { id: keyIds.rotated, company: null, ...restrictions },
    'admin.keys.rotate': { id: keyIds.rotated, overlapSeconds: 60 },
    'admin.keys.revoke': { id: keyIds.revoked },
    'admin.keys.erase': { id: keyIds.revoked },
    'admin.audit': { operator: 'admin', from: '2026-11-01T00:00:00Z', limit: 5 },
    'admin.backups.create': {},
    'admin.quotes.rotateSecret': {},
    'admin.quotes.pause': pair,
    'admin.quotes.resume': pair,
    'admin.quotes.listPauses': {},
  }
  const { quote, userAddress, signedTransaction } = quoted
  const ofQuote: readonly [string, Input][] = [
    ['approval.plan', { quote, ownerAddress: userAddress }],
    ['transaction.buildConvert', { quote, userAddress }],
    ['transaction.broadcastConvert', { quote, signedTransaction }],
  ]
  return [...Object.entries(calls), ...ofQuote].flatMap(([name, input]) => [
    toRest(name, input),
    ...toTrpc(name, input),
  ])
}

type Options = {
  /** A signed transaction that no node mines. */
  readonly signed: string
  /** A quote of the caller's key, and its transaction of a wallet that cannot pay the gas. */
  readonly quoted: Readonly<Record<'quote' | 'userAddress' | 'signedTransaction', string>>
  /** Keys that the calls may change, rotate and revoke. */
  readonly keyIds: { readonly rotated: string; readonly revoked: string }
}

function toRest(name: string, input: Input): ValidCall {
  const { method, path, procedure: operation = name } = findOperation(name)
  const { resolved, rest } = fillPath(path, input)
  const common = { form: 'REST', operation, path: resolved, headers: [] } as const
  if (method === 'POST' || method === 'PATCH') return { ...common, method, place: 'body', fields: toFields(rest) }
  const fields: Pairs = Object.entries(rest).map(([name, value]) => [name, String(value)])
  return { ...common, method: 'GET', place: 'query', fields }
}

const linkHeaders: Readonly<Record<Link, Headers>> = {
  httpLink: [],
  httpBatchLink: [],
  httpBatchStreamLink: [['trpc-accept', 'application/jsonl']],
}

/** A call by each link: its input in the body, and the input of a query also in the URL. */
function toTrpc(name: string, input: Input): readonly ValidCall[] {
  const { procedure: operation = name } = findOperation(name)
  const common = { operation, path: `/trpc/${operation}`, fields: toFields(input) }
  return (Object.entries(linkHeaders) as [Link, Headers][]).flatMap(([form, headers]): ValidCall[] => {
    const posted: ValidCall = { ...common, form, headers, method: 'POST', place: 'body' }
    return isMutation(operation) ? [posted] : [posted, { ...posted, method: 'GET', place: 'input' }]
  })
}

function toFields(input: Input): Pairs {
  return Object.entries(input).map(([name, value]) => [JSON.stringify(name), JSON.stringify(value)])
}

type Link = 'httpLink' | 'httpBatchLink' | 'httpBatchStreamLink'

/** A valid call of an operation, in parts that can be corrupted individually. */
export type ValidCall = {
  /** REST, or the link of tRPC's client that sends such a request. A link that batches sends a batch of one. */
  readonly form: 'REST' | Link
  /** The procedure. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  /** Headers in addition to those for keys and body. */
  readonly headers: Headers
  /** The location of the input: query parameters, JSON in a query parameter, or JSON in the body. */
  readonly place: 'query' | 'input' | 'body'
  /** The input: names and values as plain text for a query, as JSON text otherwise. */
  readonly fields: Pairs
}

/** Names and values, in order. A name may be repeated. */
export type Pairs = readonly (readonly [name: string, value: string])[]

/** The target and the body of a call with another input. */
export function writeCall({ form, path, place }: ValidCall, text: string): Call {
  const isBatch = form === 'httpBatchLink' || form === 'httpBatchStreamLink'
  const [input, flag] = isBatch ? [`{"0":${text}}`, 'batch=1'] : [text, undefined]
  if (place === 'body') return { target: flag === undefined ? path : `${path}?${flag}`, body: Buffer.from(input) }
  if (place === 'input') return { target: `${path}?${flag === undefined ? '' : `${flag}&`}input=${encodeText(input)}` }
  return { target: text === '' ? path : `${path}?${text}` }
}

type Call = { readonly target: string; readonly body?: Buffer }

/** Percent-encodes a text for a query; a lone surrogate becomes the replacement character. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Formats an input as a query or as JSON, according to the call. */
export function writeInput({ place }: ValidCall, fields: Pairs): string {
  if (place === 'query') return fields.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&')
  return `{${fields.map(([name, value]) => `${name}:${value}`).join(',')}}`
}

import type { AgioErrorCode } from '@agio/sdk'
import { formatAmount } from '../amount/formatAmount.ts'
import { formatDuration } from '../time/formatDuration.ts'
import type { Failure } from './toFailure.ts'

/** What an error is, in words. */
export type Explanation = {
  /** What happened, in a few words. */
  readonly title: string
  /** Why, and what to do next. */
  readonly next: string
  /** `warning` for what passes by itself, `neutral` for what the user has decided. */
  readonly tone: 'danger' | 'warning' | 'neutral'
}

/** Explains an error by its code and its details. The message of the error has the rest. */
export function explainError(failure: Failure): Explanation {
  const { code, details, action = '' } = failure
  const entry = (explanations as Readonly<Record<string, Words | WordsOf>>)[code] ?? ['That did not work']
  const [title, next] = typeof entry === 'function' ? entry(details) : entry
  // Something was sent, or may be: that goes before what the code says.
  if (action === 'resume') return { title, next: byAction['resume'], tone: 'warning' }
  // The page sends no request without a key, so the service has refused the one that it has.
  if (code === 'svc/unauthorized' && failure.requestId !== undefined) return unknownKey
  const words = typeof next === 'function' ? next(details) : next
  return { title, next: words ?? byAction[action as keyof typeof byAction] ?? failure.message, tone: toTone(failure) }
}

/** Returns what happened, in a few words. */
export function toErrorTitle(code: string): string {
  return explainError({ code, message: '', details: {} }).title
}

function toTone({ code, action }: Failure): Explanation['tone'] {
  if (code === 'wallet/rejected' || code === 'convert/aborted') return 'neutral'
  return action === 'wait' || action === 'requote' ? 'warning' : 'danger'
}

type Details = Failure['details']
type Words = readonly [title: string, next?: string | ((details: Details) => string)]
type WordsOf = (details: Details) => Words

const unknownKey: Explanation = {
  title: 'The service does not know this API key',
  next: 'Check it, or enter another one.',
  tone: 'danger',
}

const byAction = {
  retry: 'Try again.',
  wait: 'Try again later.',
  requote: 'Get a new quote.',
  fix_input: 'Correct the request.',
  fund: 'The wallet needs more before it can go on.',
  approve: 'Approve the token, or sign again.',
  resume: 'A transaction was sent, or may be: go on with this conversion rather than start another.',
} as const

/** For the codes 4900 and 4901 of EIP-1193: the wallet is not connected to the network. */
const nodeUnreachable: Words = [
  'The wallet does not reach the network',
  'Its node may be down, or the wallet does not know the network. Check it in the wallet, and try again.',
]

const explanations: Readonly<Partial<Record<AgioErrorCode | `console/${string}`, Words | WordsOf>>> = {
  'svc/stale-price': ['The price is too old', describeStalePrice],
  'svc/above-max-origin': ['The pool cannot convert that much', describeMaximum],
  'svc/no-convergence': [
    'The pool has no price for this amount',
    ({ nearestAmountIn }) =>
      isText(nearestAmountIn)
        ? `It has one for ${formatAmount(nearestAmountIn)}. Enter another amount.`
        : 'Enter another amount.',
  ],
  'svc/below-min-target': [
    'The price has moved below your minimum',
    ({ amountOut, minAmountOut }) =>
      isText(amountOut) && isText(minAmountOut)
        ? `The market pays ${formatAmount(amountOut)} now, and your minimum is ${formatAmount(minAmountOut)}. Get a new quote.`
        : 'Get a new quote.',
  ],
  'svc/above-max-input': [
    'The price has moved above your maximum',
    ({ amountIn, maxAmountIn }) =>
      isText(amountIn) && isText(maxAmountIn)
        ? `The market costs ${formatAmount(amountIn)} now, and your maximum is ${formatAmount(maxAmountIn)}. Get a new quote.`
        : 'Get a new quote.',
  ],
  'svc/no-route': ['There is no pool for these tokens', 'Select another pair of tokens.'],
  'svc/pool-frozen': [
    'This pool is frozen',
    'Its owner has stopped conversions. They continue when the owner reopens it.',
  ],
  'svc/deadline-passed': [
    'The transaction came too late',
    'It was mined after the quote had expired, and converted nothing. Get a new quote.',
  ],
  'svc/amount-too-small': [
    'This amount is too small',
    'After rounding and the fee nothing is left. Enter a larger amount.',
  ],
  'svc/quoting-paused': [
    'Quotes are paused for these tokens',
    'The operator of the service has paused them. Select another pair, or try again later.',
  ],
  'svc/quote-expired': ['The quote has expired', 'Nothing was converted. Get a new quote.'],
  'svc/quote-invalid': [
    'The quote is not valid',
    'The service no longer knows the secret that signed it. Get a new quote.',
  ],
  'svc/quote-mismatch': ['The transaction is not what was quoted', 'Nothing was sent. Get a new quote.'],
  'svc/quote-not-yours': [
    'The quote belongs to another key',
    'It was issued to another API key than the current one. Get a new quote.',
  ],
  'svc/insufficient-gas': ['The wallet cannot pay for gas', describeShortage],
  'svc/insufficient-balance': ['The wallet does not hold enough', describeShortage],
  'svc/insufficient-allowance': ['The token is not approved yet', 'Convert again: the wallet will be asked for it.'],
  'svc/invalid-permit': ['The signature was not accepted', describePermit],
  'svc/faucet-cooldown': [
    'The faucet has paid this wallet already',
    ({ nextClaimAt }) =>
      isText(nextClaimAt) ? `It pays again from ${toLocalTime(nextClaimAt)}.` : 'It pays again after a while.',
  ],
  'svc/faucet-dry': ['The faucet is empty', 'Its owner has to fill it. Try again later.'],
  'svc/invalid-request': ['The request is not valid', describeField],
  'svc/invalid-address': ['This is not an address', describeField],
  'svc/unsupported-token': ['The service does not convert this token', 'Select another token.'],
  'svc/unsupported-chain': ['The service does not serve this network', 'Select another network.'],
  'svc/not-a-conversion': ['The transaction is not a conversion', 'Check its hash and the network.'],
  'svc/pool-not-found': ['There is no such pool', 'Check its address and the network.'],
  'svc/transaction-not-found': ['No node knows this transaction', 'Check its hash and the network.'],
  'svc/reverted': ['The transaction reverted', 'It converted nothing, and cost its gas.'],
  'svc/unauthorized': ['An API key is needed', 'Enter the key that the operator of the service has issued to you.'],
  'svc/key-revoked': ['The API key was revoked', 'Enter another key.'],
  'svc/rate-limited': ['Too many requests', 'The limit of the API key is reached.'],
  'svc/quota-exceeded': ['The monthly quota is used up', 'The API key has no calls left this month.'],
  'svc/upstream-error': ['The node of the network failed', 'Usually this passes within seconds.'],
  'svc/upstream-unavailable': [
    'The network cannot be read at the moment',
    'The service does not reach its node. Usually this passes within seconds.',
  ],
  'svc/upstream-timeout': ['The network did not answer in time', 'Usually this passes within seconds.'],
  'svc/storage-unavailable': ['The service cannot reach its database', 'Try again in a moment.'],
  'svc/internal': ['The service failed', 'Try again. The id of the request finds the cause in its log.'],
  'wallet/rejected': ['You refused in the wallet', 'What you refused was not sent.'],
  'wallet/wrong-chain': ({ actual }) =>
    actual === undefined
      ? nodeUnreachable
      : ['The wallet is on another network', 'Switch the network in the wallet, and try again.'],
  'wallet/account-changed': [
    'The wallet has another account now',
    'Select the account that the conversion began with, and try again.',
  ],
  'wallet/nonce-changed': [
    'The wallet sent it with another nonce',
    'It replaces nothing: both transactions may be mined, and may both convert. Cancel one of them in the wallet.',
  ],
  'wallet/failed': ({ walletCode }) =>
    walletCode === 4900 || walletCode === 4901
      ? nodeUnreachable
      : ['The wallet failed', 'Unlock or reconnect the wallet, and try again.'],
  'network/unreachable': ['The service cannot be reached', 'Check the connection, and try again.'],
  'network/invalid-response': [
    'Something else than the service answered',
    'A proxy or a captive portal may stand between this page and the service.',
  ],
  'convert/mismatch': ['The transaction is not what was quoted', 'Nothing was signed. Get a new quote.'],
  'convert/aborted': ['The conversion was stopped', 'Nothing more is asked or sent.'],
  'convert/replaced': ({ kind }) => replacements[String(kind)] ?? replacements['other'],
  'convert/dropped': [
    'The transaction was not mined in time',
    'It can convert nothing any more. Get a new quote to convert again.',
  ],
  'console/storage-refused': [
    'This browser does not store the conversion',
    'Its storage is full, or not allowed. Nothing more was asked of the wallet, since the conversion could not go on after a reload.',
  ],
  'convert/invalid-step': ['This conversion cannot be continued here', 'Another version of the page has stored it.'],
}

const replacements: Readonly<Record<string, Words>> & { readonly other: Words } = {
  cancel: [
    'The transaction was cancelled',
    'An empty transfer took its place. Nothing was converted: get a new quote to convert.',
  ],
  'same-intent': [
    'The wallet sent another conversion instead',
    'It converts the same at other terms. Look at its receipt before you convert again.',
  ],
  other: ['The wallet sent another transaction instead', 'It converted nothing. Get a new quote to convert again.'],
}

function describeStalePrice({ updatedAt, maxAgeSeconds }: Details): string {
  const continues = 'Conversions continue with its next update.'
  if (!isText(updatedAt) || typeof maxAgeSeconds !== 'number') return continues
  const limit = `the pool takes prices that are at most ${formatDuration(maxAgeSeconds)} old`
  return `The oracle last updated it at ${toLocalTime(updatedAt)}, and ${limit}. ${continues}`
}

function describeMaximum({ maxAmountIn }: Details): string {
  if (!isText(maxAmountIn)) return 'Enter a smaller amount.'
  return `It takes at most ${formatAmount(maxAmountIn)} now. Enter a smaller amount.`
}

function describeShortage({ required, current }: Details): string {
  if (!isText(required) || !isText(current)) return byAction.fund
  return `It holds ${formatAmount(current)}, and up to ${formatAmount(required)} is needed.`
}

const permitReasons: Readonly<Record<string, string>> = {
  signer: 'It is of another account, or of other terms.',
  deadline: 'It came too late.',
  nonce: 'It was used already.',
  domain: 'It is for another token or network.',
  amount: 'It is for another amount.',
}

function describePermit({ reason }: Details): string {
  return `${permitReasons[String(reason)] ?? ''} Convert again.`.trim()
}

function describeField({ field }: Details): string {
  return isText(field) ? `The service refuses the field ${field}.` : byAction.fix_input
}

function toLocalTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

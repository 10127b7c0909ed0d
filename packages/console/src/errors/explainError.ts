import type { AgioErrorCode } from '@agio/sdk'
import * as Decimal from '../amount/Decimal.ts'
import { formatDuration } from '../time/formatDuration.ts'
import type { Failure } from './toFailure.ts'

/** The explanation of an error. */
export type Explanation = {
  /** What happened, in a few words. */
  readonly title: string
  /** The reason, and what to do next. */
  readonly next: string
  /** `warning` for temporary errors, `neutral` for decisions of the user. */
  readonly tone: 'danger' | 'warning' | 'neutral'
}

/** Explains an error by its code and its details. Unknown codes are explained by their action or message. */
export function explainError(failure: Failure): Explanation {
  const { code, details, action = '' } = failure
  const entry = (explanations as Readonly<Record<string, Words | WordsOf>>)[code] ?? ['That did not work']
  const [title, next] = typeof entry === 'function' ? entry(details) : entry
  // A transaction that may have been sent is more important than the code.
  if (action === 'resume') return { title, next: byAction['resume'], tone: 'warning' }
  // The page sends no request without a key, so the service has rejected its key.
  if (code === 'svc/unauthorized' && failure.requestId !== undefined) return unknownKey
  const words = typeof next === 'function' ? next(details) : next
  return { title, next: words ?? byAction[action as keyof typeof byAction] ?? failure.message, tone: toTone(failure) }
}

/** Returns the title of an error by its code. */
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
  next: 'Check the key or enter another one.',
  tone: 'danger',
}

const byAction = {
  retry: 'Try again.',
  wait: 'Try again later.',
  requote: 'Get a new quote.',
  fix_input: 'Correct the request.',
  fund: 'Add funds to the wallet first.',
  approve: 'Approve the token, or sign again.',
  resume: 'This conversion may have sent a transaction. Resume it instead of starting another one.',
} as const

/** For the codes 4900 and 4901 of EIP-1193: the wallet is not connected to the network. */
const nodeUnreachable: Words = [
  'The wallet cannot reach the network',
  'Its node may be down, or the wallet does not know the network. Check the network in the wallet and try again.',
]

const explanations: Readonly<Partial<Record<AgioErrorCode | `console/${string}`, Words | WordsOf>>> = {
  'svc/stale-price': ({ reason }) => stalePrices[String(reason)] ?? ['The price is too old', describeStalePrice],
  'svc/reference-depegged': ({ answer }) => [
    'The dollar token is not worth a dollar',
    `${isText(answer) ? `Its price is ${Decimal.format(answer)} US dollars. ` : ''}The pool converts again once it is back at a dollar, which may take long.`,
  ],
  'svc/above-max-origin': ['The pool cannot convert that much', describeMaximum],
  'svc/no-convergence': [
    'The pool has no price for this amount',
    ({ nearestAmountIn }) =>
      isText(nearestAmountIn)
        ? `It has a price for ${Decimal.format(nearestAmountIn)}. Enter another amount.`
        : 'Enter another amount.',
  ],
  'svc/below-min-target': [
    'The price has moved below your minimum',
    ({ amountOut, minAmountOut }) =>
      isText(amountOut) && isText(minAmountOut)
        ? `You would receive ${Decimal.format(amountOut)} now, but your minimum is ${Decimal.format(minAmountOut)}. Get a new quote.`
        : 'Get a new quote.',
  ],
  'svc/above-max-input': [
    'The price has moved above your maximum',
    ({ amountIn, maxAmountIn }) =>
      isText(amountIn) && isText(maxAmountIn)
        ? `You would pay ${Decimal.format(amountIn)} now, but your maximum is ${Decimal.format(maxAmountIn)}. Get a new quote.`
        : 'Get a new quote.',
  ],
  'svc/no-route': ['No pool converts these tokens', 'Select another pair of tokens.'],
  'svc/pool-frozen': [
    'This pool is frozen',
    'Its owner or guardian has stopped conversions. Try again after the owner has unfrozen it.',
  ],
  'svc/deadline-passed': [
    'The transaction came too late',
    'The quote expired before it was mined, so nothing was converted. Get a new quote.',
  ],
  'svc/amount-too-small': [
    'This amount is too small',
    'After rounding and the fee, the output is zero. Enter a larger amount.',
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
  'svc/quote-mismatch': ['The transaction does not match the quote', 'Nothing was sent. Get a new quote.'],
  'svc/quote-not-yours': ['The quote belongs to another key', 'It was created with another API key. Get a new quote.'],
  'svc/insufficient-gas': ['The wallet cannot pay for gas', describeShortage],
  'svc/insufficient-balance': ['The wallet does not hold enough', describeShortage],
  'svc/insufficient-allowance': [
    'The token is not approved yet',
    'Convert again. The wallet then asks for the approval.',
  ],
  'svc/invalid-permit': ['The signature was not accepted', describePermit],
  'svc/faucet-cooldown': [
    'This wallet has already used the faucet',
    ({ nextClaimAt }) =>
      isText(nextClaimAt) ? `You can claim again from ${toLocalTime(nextClaimAt)}.` : 'Try again later.',
  ],
  'svc/faucet-dry': ['The faucet is empty', 'Its owner must refill it. Try again later.'],
  'svc/invalid-request': ['The request is not valid', describeField],
  'svc/invalid-address': ['This is not an address', describeField],
  'svc/unsupported-token': ['The service does not convert this token', 'Select another token.'],
  'svc/unsupported-chain': ['The service does not serve this network', 'Select another network.'],
  'svc/not-a-conversion': ['The transaction is not a conversion', 'Check its hash and the network.'],
  'svc/pool-not-found': ['Pool not found', 'Check its address and the network.'],
  'svc/transaction-not-found': ['No node knows this transaction', 'Check its hash and the network.'],
  'svc/reverted': ['The transaction reverted', 'Nothing was converted, but gas was paid.'],
  'svc/unauthorized': [
    'An API key is required',
    'Enter the API key that you received from the operator of the service.',
  ],
  'svc/key-revoked': ['The API key was revoked', 'Enter another key.'],
  'svc/key-expired': ['The API key has expired', 'Enter another key.'],
  'svc/forbidden-scope': ({ scope }) => [
    'The API key does not allow this',
    `${isText(scope) ? `It lacks the scope “${scope}”. ` : ''}Enter another key.`,
  ],
  'svc/address-forbidden': ['The API key does not allow your address', 'Enter another key.'],
  'svc/origin-forbidden': ['The API key does not allow this website', 'Enter another key.'],
  'svc/forbidden-role': ['Not allowed', 'This operator does not have the role that the action needs.'],
  'svc/rate-limited': ['Too many requests', 'The limit of the API key is reached.'],
  'svc/quota-exceeded': ['The monthly quota is used up', 'The API key has no calls left this month.'],
  'svc/upstream-error': ['The node of the network failed', 'This usually resolves within seconds.'],
  'svc/upstream-unavailable': ['Can’t reach the network', 'This usually resolves within seconds.'],
  'svc/upstream-timeout': ['The network did not respond in time', 'This usually resolves within seconds.'],
  'svc/storage-unavailable': ['The service cannot reach its database', 'Try again in a moment.'],
  'svc/streams-full': ['The service is busy', 'It has too many streams open. Try again in a moment.'],
  'svc/internal': ['The service failed', 'Try again. If it fails again, report the request id to the operator.'],
  'wallet/rejected': ['You rejected the request in your wallet', 'The rejected request was not sent.'],
  'wallet/wrong-chain': ({ actual }) =>
    actual === undefined
      ? nodeUnreachable
      : ['The wallet is on another network', 'Switch the network in the wallet and try again.'],
  'wallet/account-changed': [
    'Another account is selected in the wallet',
    'Select the account that started the conversion and try again.',
  ],
  'wallet/nonce-changed': [
    'The wallet used another nonce',
    'The new transaction replaces nothing. Both transactions may be mined and convert. Cancel one of them in the wallet.',
  ],
  'wallet/cannot-read': ['The wallet cannot read from the network', 'Use another wallet. Nothing was signed.'],
  'wallet/failed': ({ walletCode }) =>
    walletCode === 4900 || walletCode === 4901
      ? nodeUnreachable
      : ['The wallet failed', 'Unlock or reconnect the wallet and try again.'],
  'network/unreachable': ['The service cannot be reached', 'Check your connection and try again.'],
  'network/invalid-response': [
    'The response did not come from the service',
    'A proxy or a captive portal may have answered instead.',
  ],
  'convert/mismatch': ['The transaction does not match the quote', 'Nothing was signed. Get a new quote.'],
  'convert/unpinned-contracts': ['The page trusts no contracts of this network', 'Nothing was signed.'],
  'convert/simulation-failed': ['The conversion would fail now', 'Nothing was sent. Get a new quote.'],
  'convert/above-max-gas-cost': ['Gas is too expensive now', 'Nothing was signed. Try again later.'],
  'convert/too-many-prompts': ['The conversion asked the wallet too often', 'Get a new quote.'],
  'convert/aborted': ['The conversion was stopped', 'Nothing more is requested or sent.'],
  'convert/replaced': ({ kind }) => replacements[String(kind)] ?? replacements['other'],
  'convert/dropped': [
    'The transaction was not mined in time',
    'It can no longer convert. Get a new quote to convert again.',
  ],
  'console/storage-refused': [
    'This browser cannot store the conversion',
    'Its storage is full or blocked. The wallet was not asked again, because the conversion could not be resumed after a reload.',
  ],
  'convert/invalid-step': ['This conversion cannot be resumed here', 'It was stored by another version of the page.'],
}

const replacements: Readonly<Record<string, Words>> & { readonly other: Words } = {
  cancel: [
    'The transaction was cancelled',
    'An empty transfer replaced it. Nothing was converted. Get a new quote to convert.',
  ],
  'same-intent': [
    'The wallet sent another conversion instead',
    'It converts the same amount at other terms. Check its receipt before you convert again.',
  ],
  other: [
    'The wallet sent another transaction instead',
    'This conversion did not take place. Get a new quote to convert again.',
  ],
}

/** The reasons of `svc/stale-price` other than the age of the price. */
const stalePrices: Readonly<Record<string, Words>> = {
  invalid: ['There is no valid price', 'The oracle reports a price that is not positive. Try again later.'],
  bounds: ['The price is implausible', 'The oracle reports a price that is probably wrong. Try again later.'],
  sequencer: [
    'The network was interrupted',
    'Its prices may be outdated. Conversions continue some time after the network has restarted.',
  ],
}

function describeStalePrice({ updatedAt, maxAgeSeconds }: Details): string {
  const continues = 'Conversions continue with its next update.'
  if (!isText(updatedAt) || typeof maxAgeSeconds !== 'number') return continues
  const limit = `the pool accepts prices that are at most ${formatDuration(maxAgeSeconds)} old`
  return `The oracle last updated it at ${toLocalTime(updatedAt)}, and ${limit}. ${continues}`
}

function describeMaximum({ maxAmountIn }: Details): string {
  if (!isText(maxAmountIn)) return 'Enter a smaller amount.'
  return `It takes at most ${Decimal.format(maxAmountIn)} now. Enter a smaller amount.`
}

function describeShortage({ required, current }: Details): string {
  if (!isText(required) || !isText(current)) return byAction.fund
  return `It holds ${Decimal.format(current)}, but up to ${Decimal.format(required)} is needed.`
}

const permitReasons: Readonly<Record<string, string>> = {
  signer: 'It comes from another account or covers other terms.',
  deadline: 'It has expired.',
  nonce: 'It was already used.',
  domain: 'It is for another token or network.',
  amount: 'It is for another amount.',
}

function describePermit({ reason }: Details): string {
  return `${permitReasons[String(reason)] ?? ''} Convert again.`.trim()
}

function describeField({ field }: Details): string {
  return isText(field) ? `The service rejected the field ${field}.` : byAction.fix_input
}

function toLocalTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

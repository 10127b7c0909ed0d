import type { AgioErrorAction, AgioErrorCode } from '../errors/AgioError.ts'
import { findCorrection, findNextStep, userMessages } from '../errors/userMessages.ts'

/** An `AgioError`, the error of a step, or the same fields from elsewhere. */
export type ErrorToExplain = {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly action?: AgioErrorAction | undefined
}

/** The explanation of an error. */
export type Explanation = {
  /** What happened, in a few words. */
  readonly title: string
  /** The reason, and what to do next. */
  readonly next: string
  /** `warning` for temporary errors, `neutral` for decisions of the user. */
  readonly tone: 'danger' | 'warning' | 'neutral'
}

/**
 * Explains an error to users by its code and its details. Unknown codes are explained by their action or message.
 *
 * @example
 * const { title, next } = explainError(error)
 */
export function explainError({ code, message, details, action }: ErrorToExplain): Explanation {
  const entry = (explanations as Readonly<Record<string, Entry>>)[code]
  const words = typeof entry === 'function' ? entry(details, message) : entry
  const [ownTitle, ownNext] = typeof words === 'object' ? words : [undefined, words]
  const title = ownTitle ?? (userMessages as Readonly<Record<string, string>>)[code] ?? 'That did not work'
  // A transaction that may have been sent is more important than the code.
  if (action === 'resume') return { title, next: resume, tone: 'warning' }
  const isDecision = code === 'wallet/rejected' || code === 'convert/aborted'
  const tone = action === 'wait' || action === 'requote' ? 'warning' : 'danger'
  return { title, next: ownNext ?? findNext(code, action) ?? message, tone: isDecision ? 'neutral' : tone }
}

const resume = 'This conversion may have sent a transaction. Resume it instead of starting another one.'

function findNext(code: string, action: AgioErrorAction | undefined): string | undefined {
  const next = findNextStep(code, action) ?? (action === 'fix_input' ? 'Correct the request' : undefined)
  return next === undefined ? undefined : `${next}.`
}

type Details = ErrorToExplain['details']
type Words = readonly [title: string, next: string]
/** What to do next, or the title too if it depends on the details. */
type Entry = string | ((details: Details, message: string) => string | Words)

/** For the codes 4900 and 4901 of EIP-1193: the wallet is not connected to the network. */
const nodeUnreachable: Words = [
  'The wallet cannot reach the network',
  'Its node may be down, or the wallet does not know the network. Check the network in the wallet and try again.',
]

/** What to do next, for codes that need more words than in `userMessage`. */
const explanations: { readonly [Code in AgioErrorCode]?: Entry } = {
  'svc/stale-price': ({ reason, ...details }) =>
    stalePrices[String(reason)] ?? ['The price is too old', describeStalePrice(details)],
  'svc/reference-depegged': ({ answer }) =>
    `${isAmount(answer) ? `Its price is ${group(answer)} US dollars. ` : ''}The pool converts again once it is back at a dollar, which may take long.`,
  'svc/above-max-origin': ({ maxAmountIn }) =>
    `${isAmount(maxAmountIn) ? `It takes at most ${group(maxAmountIn)} now. ` : ''}Enter a smaller amount.`,
  'svc/no-convergence': ({ nearestAmountIn }) =>
    `${isAmount(nearestAmountIn) ? `It has a price for ${group(nearestAmountIn)}. ` : ''}Enter another amount.`,
  'svc/below-min-target': ({ amountOut, minAmountOut }) =>
    `${isAmount(amountOut) && isAmount(minAmountOut) ? `You would receive ${group(amountOut)} now, but your minimum is ${group(minAmountOut)}. ` : ''}Get a new quote.`,
  'svc/above-max-input': ({ amountIn, maxAmountIn }) =>
    `${isAmount(amountIn) && isAmount(maxAmountIn) ? `You would pay ${group(amountIn)} now, but your maximum is ${group(maxAmountIn)}. ` : ''}Get a new quote.`,
  'svc/pool-frozen': 'Its owner or guardian has stopped conversions. Try again after the owner has unfrozen it.',
  'svc/deadline-passed': 'The quote expired before it was mined, so nothing was converted. Get a new quote.',
  'svc/amount-too-small': 'After rounding and the fee, the output is zero. Enter a larger amount.',
  'svc/quoting-paused': 'The operator of the service has paused them. Select another pair, or try again later.',
  'svc/quote-expired': 'Nothing was converted. Get a new quote.',
  'svc/quote-invalid': 'The service no longer knows the secret that signed it. Get a new quote.',
  'svc/quote-mismatch': 'Nothing was sent. Get a new quote.',
  'svc/quote-not-yours': 'It was created with another API key. Get a new quote.',
  'svc/insufficient-gas': describeShortage,
  'svc/insufficient-balance': describeShortage,
  'svc/insufficient-allowance': 'Convert again. The wallet then asks for the approval.',
  'svc/invalid-permit': ({ reason }) => `${permitReasons[String(reason)] ?? ''} Convert again.`.trim(),
  'svc/account-blocked': ({ field }) =>
    `The issuer of the token does not let it ${field === 'recipient' ? 'receive' : 'send or receive'} the token. Use another account or token.`,
  'svc/token-paused': 'Its issuer has stopped all transfers. Try again after the issuer has resumed them.',
  'svc/faucet-cooldown': ({ nextClaimAt }) =>
    isText(nextClaimAt) ? `You can claim again from ${toLocalTime(nextClaimAt)}.` : 'Try again later.',
  'svc/faucet-dry': 'Its owner must refill it. Try again later.',
  'svc/invalid-request': (details, message) => {
    const correction = findCorrection({ details, message })
    return correction === undefined ? describeField(details) : ['This input is not valid', `${correction}.`]
  },
  'svc/invalid-address': describeField,
  'svc/not-a-conversion': 'Check its hash and the network.',
  'svc/pool-not-found': 'Check its address and the network.',
  'svc/transaction-not-found': 'Check its hash and the network.',
  'svc/reverted': 'Nothing was converted, but gas was paid.',
  'svc/unauthorized': 'Enter the API key that you received from the operator of the service.',
  'svc/key-revoked': 'Enter another key.',
  'svc/key-expired': 'Enter another key.',
  'svc/forbidden-scope': ({ scope }) => `${isText(scope) ? `It lacks the scope “${scope}”. ` : ''}Enter another key.`,
  'svc/address-forbidden': 'Enter another key.',
  'svc/origin-forbidden': 'Enter another key.',
  'svc/forbidden-role': 'This operator does not have the role that the action needs.',
  'svc/rate-limited': 'The limit of the API key is reached.',
  'svc/quota-exceeded': 'The API key has no calls left this month.',
  'svc/upstream-error': 'This usually resolves within seconds.',
  'svc/upstream-unavailable': 'This usually resolves within seconds.',
  'svc/upstream-timeout': 'This usually resolves within seconds.',
  'svc/storage-unavailable': 'Try again in a moment.',
  'svc/streams-full': 'It has too many streams open. Try again in a moment.',
  'svc/internal': 'Try again. If it fails again, report the request id to the operator.',
  'wallet/rejected': 'Nothing was sent.',
  'wallet/wrong-chain': ({ actual }) =>
    actual === undefined ? nodeUnreachable : 'Switch the network in the wallet and try again.',
  'wallet/account-changed': 'Select the account that started the conversion and try again.',
  'wallet/nonce-changed':
    'The new transaction replaces nothing. Both transactions may be mined and convert. Cancel one of them in the wallet.',
  'wallet/cannot-read': 'Use another wallet. Nothing was signed.',
  'wallet/failed': ({ walletCode }) =>
    walletCode === 4900 || walletCode === 4901 ? nodeUnreachable : 'Unlock or reconnect the wallet and try again.',
  'network/unreachable': 'Check your connection and try again.',
  'network/invalid-response': 'A proxy or a captive portal may have answered instead.',
  'convert/unpinned-contracts': 'Nothing was signed.',
  'convert/simulation-failed': 'Nothing was sent. Get a new quote.',
  'convert/above-max-gas-cost': 'Nothing was signed. Try again later.',
  'convert/replaced': ({ kind }) => replacements[String(kind)] ?? replacements['other'],
  'convert/dropped': 'It can no longer convert. Get a new quote to convert again.',
  'convert/invalid-step': 'It was stored by another version of the page.',
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
  step: ['The price has changed a lot', 'Conversions continue once the oracle confirms its new price.'],
  sequencer: [
    'The network was interrupted',
    'Its prices may be outdated. Conversions continue some time after the network has restarted.',
  ],
}

function describeStalePrice({ updatedAt, maxAgeSeconds }: Details): string {
  const continues = 'Conversions continue with its next update.'
  if (!isText(updatedAt) || typeof maxAgeSeconds !== 'number') return continues
  const limit = `the pool accepts prices that are at most ${formatAge(maxAgeSeconds)} old`
  return `The oracle last updated it at ${toLocalTime(updatedAt)}, and ${limit}. ${continues}`
}

function describeShortage({ required, current }: Details): string {
  if (!isAmount(required) || !isAmount(current)) return 'Add funds to the wallet first.'
  return `It holds ${group(current)}, but up to ${group(required)} is needed.`
}

const permitReasons: Readonly<Record<string, string>> = {
  signer: 'It comes from another account or covers other terms.',
  deadline: 'It has expired.',
  nonce: 'It was already used.',
  domain: 'It is for another token or network.',
  amount: 'It is for another amount.',
}

function describeField({ field }: Details): string {
  return isText(field) ? `The service rejected the field ${field}.` : 'Correct the request.'
}

function toLocalTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

// Digits without end would take a time that grows with the square of their number.
function isAmount(value: unknown): value is string {
  return isText(value) && /^-?\d{1,80}(?:\.\d{1,80})?$/.test(value)
}

/** Groups the integer digits of an amount: `767813.267813` becomes `767,813.267813`. */
function group(amount: string): string {
  return amount.replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','))
}

function formatAge(seconds: number): string {
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}

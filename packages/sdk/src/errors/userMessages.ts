import type { ErrorAction } from '../api/schemas.ts'

/**
 * Returns a short text for users, of at most 90 characters: what happened and what to do next, or what to correct in an amount.
 * Codes of a newer service get a general text. It takes every code that an `AgioError` may have, so a code without a text does not compile.
 */
export function toUserMessage(code: Code, action: Action, refused?: RefusedInput): string {
  const isInput = action === 'fix_input' && code === 'svc/invalid-request'
  const correction = refused && isInput ? findCorrection(refused) : undefined
  if (correction !== undefined) return `${correction}.`
  const title = (userMessages as Readonly<Record<string, string>>)[code] ?? 'That did not work'
  const next = findNextStep(code, action)
  return next === undefined ? `${title}.` : `${title}. ${next}.`
}

/** The fields of an error that refuses an input. */
type RefusedInput = { readonly message: string; readonly details: object }

const amountFields: ReadonlySet<unknown> = new Set(['amount', 'amountIn', 'amountOut', 'minAmountOut', 'maxAmountIn'])

/**
 * Returns what a user must correct in an amount or a token, without a full stop. Returns undefined for a field that users do not
 * enter.
 */
export function findCorrection({ message, details }: RefusedInput): string | undefined {
  const { field, value } = details as { readonly field?: unknown; readonly value?: unknown }
  if (field === 'tokenIn' || field === 'tokenOut') return 'Select another token'
  if (!amountFields.has(field)) return undefined
  if (value === undefined || value === '') return 'Enter an amount'
  if (typeof value !== 'string' || !/^\d+(?:\.\d+)?$/.test(value)) return 'Enter an amount such as 1000.5'
  if (!/[1-9]/.test(value)) return 'Enter an amount above zero'
  // The details do not have the decimals of the token.
  const [, decimals] = /the token has (\d+) decimals/.exec(message) ?? []
  return decimals === undefined ? 'Enter a smaller amount' : `This token has ${decimals} decimals`
}

/** Returns what to do next in a few words, without a full stop; undefined if the code and the action do not say it. */
export function findNextStep(code: string, action: Action | undefined): string | undefined {
  // A transaction that may have been sent is more important than the code.
  if (action === 'resume') return nextByAction.resume
  return (nextByCode as Readonly<Record<string, string>>)[code] ?? (action && nextByAction[action])
}

/** What happened, for users, by code. */
export const userMessages = {
  'svc/stale-price': 'The price is not up to date',
  'svc/reference-depegged': 'The dollar token is not worth a dollar',
  'svc/above-max-origin': 'The pool cannot convert that much',
  'svc/no-convergence': 'The pool has no price for this amount',
  'svc/below-min-target': 'The price has moved below your minimum',
  'svc/above-max-input': 'The price has moved above your maximum',
  'svc/no-route': 'No pool converts these tokens',
  'svc/pool-frozen': 'This pool is frozen',
  'svc/deadline-passed': 'The transaction came too late',
  'svc/amount-too-small': 'This amount is too small',
  'svc/recipient-unsupported': 'This conversion cannot pay another recipient',
  'svc/reverted': 'The transaction reverted',
  'svc/quoting-paused': 'Quotes are paused for these tokens',
  'svc/quote-invalid': 'The quote is not valid',
  'svc/quote-expired': 'The quote has expired',
  'svc/quote-mismatch': 'The transaction does not match the quote',
  'svc/quote-not-yours': 'The quote belongs to another key',
  'svc/insufficient-gas': 'The wallet cannot pay for gas',
  'svc/insufficient-balance': 'The wallet does not hold enough',
  'svc/insufficient-allowance': 'The token is not approved yet',
  'svc/account-blocked': 'The token has blocked this account',
  'svc/token-paused': 'The token is paused',
  'svc/invalid-permit': 'The signature was not accepted',
  'svc/faucet-cooldown': 'This wallet has already used the faucet',
  'svc/faucet-dry': 'The faucet is empty',
  'svc/invalid-request': 'The request is not valid',
  'svc/invalid-address': 'This is not an address',
  'svc/unsupported-chain': 'The service does not serve this network',
  'svc/unsupported-token': 'The service does not convert this token',
  'svc/pool-not-found': 'The pool was not found',
  'svc/not-found': 'The service does not have this operation',
  'svc/idempotency-key-in-use': 'The same request is in progress',
  'svc/idempotency-key-reused': 'The key of the request was used before',
  'svc/payload-too-large': 'The request is too large',
  'svc/unsupported-media-type': 'The request has an unsupported format',
  'svc/method-not-allowed': 'The request has the wrong method',
  'svc/request-timeout': 'The request took too long',
  'svc/expectation-failed': 'The request has an unsupported expectation',
  'svc/headers-too-large': 'The headers of the request are too large',
  'svc/invalid-transaction': 'The transaction is not valid',
  'svc/wrong-chain': 'The transaction is for another network',
  'svc/nonce-too-low': 'The nonce of the transaction is already used',
  'svc/underpriced': 'The fees of the transaction are too low',
  'svc/already-mined': 'The transaction is already mined',
  'svc/transaction-not-found': 'No node knows this transaction',
  'svc/not-a-conversion': 'The transaction is not a conversion',
  'svc/unauthorized': 'A valid API key is required',
  'svc/key-revoked': 'The API key was revoked',
  'svc/forbidden-role': 'The operator is not allowed to do this',
  'svc/key-expired': 'The API key has expired',
  'svc/address-forbidden': 'The API key does not allow your address',
  'svc/origin-forbidden': 'The API key does not allow this website',
  'svc/forbidden-scope': 'The API key does not allow this',
  'svc/rate-limited': 'Too many requests',
  'svc/quota-exceeded': 'The monthly quota is used up',
  'svc/webhook-not-found': 'The webhook was not found',
  'svc/webhook-limit': 'The API key has no webhooks left',
  'svc/upstream-error': 'The node of the network failed',
  'svc/upstream-unavailable': 'The network cannot be reached',
  'svc/upstream-timeout': 'The network did not respond in time',
  'svc/storage-unavailable': 'The service cannot reach its database',
  'svc/streams-full': 'The service is busy',
  'svc/internal': 'The service failed',
  'wallet/rejected': 'Rejected in wallet',
  'wallet/wrong-chain': 'The wallet is on another network',
  'wallet/account-changed': 'Another account is selected in the wallet',
  'wallet/nonce-changed': 'The wallet used another nonce',
  'wallet/cannot-read': 'The wallet cannot read from the network',
  'wallet/failed': 'The wallet failed',
  'network/unreachable': 'The service cannot be reached',
  'network/invalid-response': 'The response did not come from the service',
  'convert/mismatch': 'The service changed the terms',
  'convert/unpinned-contracts': 'This page trusts no contracts of this network',
  'convert/simulation-failed': 'The conversion would fail now',
  'convert/above-max-gas-cost': 'Gas is too expensive now',
  'convert/too-many-prompts': 'The conversion asked the wallet too often',
  'convert/aborted': 'The conversion was stopped',
  'convert/replaced': 'Another transaction replaced the conversion',
  'convert/dropped': 'The transaction was not mined in time',
  'convert/invalid-step': 'This conversion cannot be resumed here',
} as const

type Code = keyof typeof userMessages

type Action = ErrorAction | 'resume'

/** What to do next, by action. Users cannot correct most requests, so `fix_input` depends on the code. */
const nextByAction: { readonly [Each in Action]?: string } & { readonly resume: string } = {
  retry: 'Try again',
  wait: 'Try again later',
  requote: 'Get a new quote',
  fund: 'Add funds to it first',
  approve: 'Convert again',
  resume: 'It may have sent a transaction: resume it',
}

/** What to do next, for codes whose action says too little. */
const nextByCode: { readonly [Each in Code]?: string } = {
  'svc/above-max-origin': 'Enter a smaller amount',
  'svc/no-convergence': 'Enter another amount',
  'svc/amount-too-small': 'Enter a larger amount',
  'svc/no-route': 'Select other tokens',
  'svc/unsupported-token': 'Select another token',
  'svc/unsupported-chain': 'Select another network',
  'svc/deadline-passed': 'Get a new quote',
  'svc/quote-mismatch': 'Get a new quote',
  'wallet/rejected': 'It was not sent',
  'wallet/wrong-chain': 'Switch the network and try again',
  'wallet/account-changed': 'Select the first account again',
  'wallet/nonce-changed': 'Both transactions may be mined',
  'wallet/cannot-read': 'Use another wallet',
  'convert/mismatch': 'Nothing was signed. Get a new quote',
  'convert/aborted': 'Nothing more is sent',
  'convert/replaced': 'Check it before you convert again',
}

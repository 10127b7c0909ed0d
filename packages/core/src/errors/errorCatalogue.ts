/**
 * Every failure that the service names: the one source of the wire's codes and statuses, of docs/errors.md and of the
 * error schemas in openapi.json.
 */
export const errorCatalogue = {
  'svc/stale-price': {
    status: 422,
    title: 'The oracle price is older than one hour',
    retryable: true,
    action: 'wait',
    details: ['oracle', 'updatedAt', 'maxAgeSeconds'],
  },
  'svc/above-max-origin': {
    status: 422,
    title: 'The input amount exceeds what the pool takes now',
    retryable: false,
    action: 'fix_input',
    details: ['amountIn', 'maxAmountIn'],
    optional: ['amountIn', 'maxAmountIn'],
  },
  'svc/below-min-target': {
    status: 422,
    title: 'The output is below the minimum that was asked for',
    retryable: true,
    action: 'requote',
    details: ['amountOut', 'minAmountOut'],
    optional: ['amountOut', 'minAmountOut'],
  },
  'svc/no-route': {
    status: 422,
    title: 'No pools connect the two tokens',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/pool-frozen': {
    status: 422,
    title: 'The pool is frozen by its owner',
    retryable: true,
    action: 'wait',
    details: [],
  },
  'svc/deadline-passed': {
    status: 422,
    title: 'The deadline is not after the newest block',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/amount-too-small': {
    status: 422,
    title: 'Nothing is left of the amount after rounding and the fee',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/insufficient-gas': {
    status: 422,
    title: 'Too little native currency to pay for gas',
    retryable: true,
    action: 'fund',
    details: ['required', 'current'],
  },
  'svc/insufficient-balance': {
    status: 422,
    title: 'Too little of the input token',
    retryable: true,
    action: 'fund',
    details: ['required', 'current'],
    optional: ['required', 'current'],
  },
  'svc/insufficient-allowance': {
    status: 422,
    title: 'The router is not approved for the amount',
    retryable: true,
    action: 'approve',
    details: ['required', 'current'],
    optional: ['required', 'current'],
  },
  'svc/faucet-cooldown': {
    status: 429,
    title: 'The user has claimed already and must wait',
    retryable: true,
    action: 'wait',
    details: ['nextClaimAt', 'retryAfterSeconds'],
  },
  'svc/faucet-dry': {
    status: 503,
    title: 'The faucet has run out of a token',
    retryable: true,
    action: 'wait',
    details: ['token'],
  },
  'svc/invalid-request': {
    status: 400,
    title: 'A field or parameter is missing, unknown or malformed',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/invalid-address': {
    status: 400,
    title: 'A value is not an address',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/unsupported-chain': {
    status: 400,
    title: 'The chain is not one of the supported networks',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/unsupported-token': {
    status: 400,
    title: 'The token is not one of the deployment, or not one of the pool',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/invalid-transaction': {
    status: 400,
    title: 'The signed transaction does not decode, is not of type 2, or was refused by the node',
    retryable: false,
    action: 'fix_input',
    details: ['field'],
  },
  'svc/wrong-chain': {
    status: 400,
    title: 'The signed transaction is for another chain',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/nonce-too-low': {
    status: 409,
    title: 'Another transaction has used the nonce',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/underpriced': {
    status: 409,
    title: 'The offered gas price is too low for the node',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/pool-not-found': {
    status: 404,
    title: 'The pool is not one of the deployment',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/transaction-not-found': {
    status: 404,
    title: 'No node knows the transaction',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/not-found': {
    status: 404,
    title: 'There is nothing at this path',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/reverted': {
    status: 422,
    title: 'The contract refuses the transaction for a reason without a code of its own',
    retryable: false,
    action: 'fix_input',
    details: ['revert'],
  },
  'svc/unauthorized': {
    status: 401,
    title: 'The API key is missing or unknown',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/key-revoked': {
    status: 403,
    title: 'The API key was revoked, or rotated longer ago than its overlap',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/rate-limited': {
    status: 429,
    title: 'Too many requests in this window',
    retryable: true,
    action: 'wait',
    details: ['retryAfterSeconds'],
  },
  'svc/quota-exceeded': {
    status: 429,
    title: 'The calls of this month are used up',
    retryable: true,
    action: 'wait',
    details: ['retryAfterSeconds'],
  },
  'svc/payload-too-large': {
    status: 413,
    title: 'The request body is too large',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/unsupported-media-type': {
    status: 415,
    title: 'The request body is not declared as application/json',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/method-not-allowed': {
    status: 405,
    title: 'The path does not take this method',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/upstream-error': {
    status: 502,
    title: 'The chain node answered badly',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/upstream-unavailable': {
    status: 503,
    title: 'The chain node cannot be reached, or lags behind',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/upstream-timeout': {
    status: 504,
    title: 'The chain node took too long',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/storage-unavailable': {
    status: 503,
    title: 'The database of keys and usage cannot be reached',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/internal': { status: 500, title: 'The service failed', retryable: true, action: 'retry', details: [] },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>

export type ErrorCode = keyof typeof errorCatalogue

/** All codes, in the order of the catalogue. */
export const errorCodes = Object.keys(errorCatalogue) as readonly ErrorCode[]

/** The fields that a failure with this code carries beside the common ones. */
export type ErrorDetails<Code extends ErrorCode> = Code extends ErrorCode
  ? {
      readonly [
        Field in Exclude<(typeof errorCatalogue)[Code]['details'][number], OptionalField<Code>>
      ]: DetailTypes[Field]
    } & { readonly [Field in OptionalField<Code>]?: DetailTypes[Field] | undefined }
  : never

type OptionalField<Code extends ErrorCode> = (typeof errorCatalogue)[Code] extends {
  readonly optional: readonly (infer Field extends keyof DetailTypes)[]
}
  ? Field
  : never

type CatalogueEntry = {
  readonly status: number
  readonly title: string
  /** Whether the same request can succeed later. */
  readonly retryable: boolean
  /** What the caller should do next. */
  readonly action: 'requote' | 'wait' | 'fix_input' | 'fund' | 'approve' | 'retry'
  readonly details: readonly (keyof DetailTypes)[]
  /** Those of them that are left out where nobody tells them, as a pool that refuses by a sentence. */
  readonly optional?: readonly (keyof DetailTypes)[]
}

type DetailTypes = {
  readonly oracle: string
  readonly updatedAt: string
  readonly maxAgeSeconds: number
  readonly amountIn: string
  readonly maxAmountIn: string
  readonly amountOut: string
  readonly minAmountOut: string
  readonly required: string
  readonly current: string
  readonly nextClaimAt: string
  readonly retryAfterSeconds: number
  readonly token: string
  readonly field: string
  readonly value: unknown
  readonly revert: { readonly name: string; readonly args: readonly string[] }
}

/**
 * All error codes of the service with their status, title and fields: the single source of the errors on the wire, of
 * docs/errors.md and of the error schemas in openapi.json.
 */
export const errorCatalogue = {
  'svc/stale-price': {
    status: 422,
    title: 'The oracle price is older than its maximum age: one hour, or what the deployment declares for its feed',
    retryable: true,
    action: 'wait',
    details: ['oracle', 'updatedAt', 'maxAgeSeconds', 'opensAt', 'retryAfterSeconds'],
    optional: ['opensAt', 'retryAfterSeconds'],
  },
  'svc/above-max-origin': {
    status: 422,
    title: 'The input amount exceeds the current limit of the pool',
    retryable: false,
    action: 'fix_input',
    details: ['amountIn', 'maxAmountIn'],
    optional: ['amountIn', 'maxAmountIn'],
  },
  'svc/no-convergence': {
    status: 422,
    title:
      'The curve of the pool has no price for the amount: its iteration does not converge. Another amount may have one',
    retryable: false,
    action: 'fix_input',
    details: ['amountIn', 'nearestAmountIn'],
    optional: ['amountIn', 'nearestAmountIn'],
  },
  'svc/below-min-target': {
    status: 422,
    title: 'The output is below the requested minimum',
    retryable: true,
    action: 'requote',
    details: ['amountOut', 'minAmountOut'],
    optional: ['amountOut', 'minAmountOut'],
  },
  'svc/above-max-input': {
    status: 422,
    title: 'The input for the requested output exceeds the requested maximum',
    retryable: true,
    action: 'requote',
    details: ['amountIn', 'maxAmountIn'],
    optional: ['amountIn', 'maxAmountIn'],
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
    title: 'The output is zero after rounding and the fee',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/recipient-unsupported': {
    status: 422,
    title: 'The contract that the conversion calls cannot pay another recipient than the sender',
    retryable: false,
    action: 'fix_input',
    details: ['field'],
  },
  'svc/quoting-paused': {
    status: 422,
    title: 'The operator has paused quotes for the two tokens',
    retryable: true,
    action: 'wait',
    details: [],
  },
  'svc/quote-invalid': {
    status: 400,
    title: 'The quote is malformed, was altered, or was signed with a secret that is no longer known',
    retryable: false,
    action: 'requote',
    details: ['field'],
  },
  'svc/quote-expired': {
    status: 410,
    title: 'The quote has expired',
    retryable: false,
    action: 'requote',
    details: ['expiresAt'],
  },
  'svc/quote-mismatch': {
    status: 409,
    title: 'The request or the signed transaction differs from the quote',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'expected', 'actual'],
  },
  'svc/quote-not-yours': {
    status: 403,
    title: 'The quote was issued to another API key',
    retryable: false,
    action: 'requote',
    details: [],
  },
  'svc/not-a-conversion': {
    status: 422,
    title: 'The transaction is not a conversion of the deployment',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/insufficient-gas': {
    status: 422,
    title: 'The native balance is too low to pay for gas',
    retryable: true,
    action: 'fund',
    details: ['required', 'current'],
  },
  'svc/insufficient-balance': {
    status: 422,
    title: 'The balance of the input token is too low',
    retryable: true,
    action: 'fund',
    details: ['required', 'current'],
    optional: ['required', 'current'],
  },
  'svc/insufficient-allowance': {
    status: 422,
    title: 'The allowance of the spender, the router or a pool, is below the amount',
    retryable: true,
    action: 'approve',
    details: ['required', 'current'],
    optional: ['required', 'current'],
  },
  'svc/invalid-permit': {
    status: 422,
    title: 'The token or Permit2 would not accept the signature: `reason` states what is wrong with it',
    retryable: false,
    action: 'approve',
    details: ['reason'],
  },
  'svc/faucet-cooldown': {
    status: 429,
    title: 'The account has claimed within the cooldown',
    retryable: true,
    action: 'wait',
    details: ['nextClaimAt', 'retryAfterSeconds'],
  },
  'svc/faucet-dry': {
    status: 503,
    title: 'The faucet has run out of a token',
    retryable: true,
    action: 'wait',
    details: ['token', 'transactionHash'],
    optional: ['transactionHash'],
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
    title: 'The service does not serve the chain',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/unsupported-token': {
    status: 400,
    title: 'The token does not belong to the deployment, or not to the pool',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/invalid-transaction': {
    status: 400,
    title: 'The signed transaction does not decode, is not of type 2, or was rejected by the node',
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
    title: 'The nonce is already used by another transaction',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/underpriced': {
    status: 409,
    title: 'The gas price is below the minimum of the node',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/pool-not-found': {
    status: 404,
    title: 'The pool does not belong to the deployment',
    retryable: false,
    action: 'fix_input',
    details: ['field', 'value'],
  },
  'svc/already-mined': {
    status: 409,
    title: 'The transaction is mined: no other can take its place',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/transaction-not-found': {
    status: 404,
    title: 'No node knows the transaction',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/webhook-not-found': {
    status: 404,
    title: 'The API key has no such webhook, or the webhook no such delivery',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/webhook-limit': {
    status: 409,
    title: 'The API key has as many webhooks, or follows as many transactions, as a key may',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/not-found': {
    status: 404,
    title: 'No operation exists at this path',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/reverted': {
    status: 422,
    title: 'The contract reverts for a reason that has no code of its own',
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
    title: 'The API key is revoked, or its overlap after a rotation has ended',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/rate-limited': {
    status: 429,
    title: 'The rate limit is reached',
    retryable: true,
    action: 'wait',
    details: ['retryAfterSeconds'],
  },
  'svc/quota-exceeded': {
    status: 429,
    title: 'The monthly quota is used up',
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
    title: 'The request body is not declared as application/json in UTF-8',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/method-not-allowed': {
    status: 405,
    title: 'The path does not support this method',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/request-timeout': {
    status: 408,
    title: 'The request did not arrive in time',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/expectation-failed': {
    status: 417,
    title: 'The service does not support the expectation in the header Expect',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/headers-too-large': {
    status: 431,
    title: 'The URL and the headers of the request are too large',
    retryable: false,
    action: 'fix_input',
    details: [],
  },
  'svc/upstream-error': {
    status: 502,
    title: 'The upstream node returned an invalid response',
    retryable: true,
    action: 'retry',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/upstream-unavailable': {
    status: 503,
    title: 'The upstream node is unreachable or lags behind',
    retryable: true,
    action: 'retry',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/upstream-timeout': {
    status: 504,
    title: 'The upstream node did not respond in time',
    retryable: true,
    action: 'retry',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
  'svc/storage-unavailable': {
    status: 503,
    title: 'The database of keys and usage is unreachable',
    retryable: true,
    action: 'retry',
    details: [],
  },
  'svc/internal': {
    status: 500,
    title: 'The service failed unexpectedly',
    retryable: true,
    action: 'retry',
    details: ['transactionHash'],
    optional: ['transactionHash'],
  },
} as const satisfies Record<`svc/${string}`, CatalogueEntry>

export type ErrorCode = keyof typeof errorCatalogue

/** What each `reason` of `svc/invalid-permit` means. */
export const permitRefusals = {
  signer:
    'Another account signed, other terms were signed, the signature is malformed or malleable, or the code of the account rejects it',
  deadline: 'The deadline of the permit is before the newest block, or for Permit2 not the expiry of the quote',
  nonce: 'The permit was signed for another nonce, or its nonce has been used',
  domain:
    'The permit was signed for another token, contract or network, or the token or the called contract accepts no permits',
  amount: 'The permit is for less than the conversion may take, or for another amount than was signed',
} as const satisfies Record<string, string>

/** What is wrong with a signature that pays a conversion. */
export type PermitRefusal = keyof typeof permitRefusals

/** All codes, in the order of the catalogue. */
export const errorCodes = Object.keys(errorCatalogue) as readonly ErrorCode[]

/** The fields of an error with this code, besides the common ones. */
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
  /**
   * The details that an error omits if their values are unknown, as when a pool reverts with a message alone; the transaction
   * hash is known to broadcasts only.
   */
  readonly optional?: readonly (keyof DetailTypes)[]
}

type DetailTypes = {
  readonly oracle: string
  readonly updatedAt: string
  readonly maxAgeSeconds: number
  readonly amountIn: string
  readonly maxAmountIn: string
  readonly nearestAmountIn: string
  readonly amountOut: string
  readonly minAmountOut: string
  readonly required: string
  readonly current: string
  readonly nextClaimAt: string
  readonly expiresAt: string
  /** When a closed market opens. */
  readonly opensAt: string
  /** What the quote fixes, as text. */
  readonly expected: string
  /** What the request or the transaction has instead, as text. */
  readonly actual: string
  readonly retryAfterSeconds: number
  readonly token: string
  /** Of a broadcast transaction, which may be mined in spite of the error. */
  readonly transactionHash: string
  readonly reason: PermitRefusal
  readonly field: string
  readonly value: unknown
  readonly revert: { readonly name: string; readonly args: readonly string[] }
}

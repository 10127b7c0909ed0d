// Generated from the router by `pnpm generate`. Do not edit.

import type { Scope } from '../api/schemas.ts'

/** The fields of each service error besides the common fields, by code. */
export type ErrorDetails = {
  /** The input for the requested output exceeds the requested maximum. HTTP status 422 */
  'svc/above-max-input': {
    /** Amount to pay */
    amountIn?: string | undefined
    /** Largest amount that the pool accepts now */
    maxAmountIn?: string | undefined
  }
  /** The input amount exceeds the current limit of the pool. HTTP status 422 */
  'svc/above-max-origin': {
    /** Amount to pay */
    amountIn?: string | undefined
    /** Largest amount that the pool accepts now */
    maxAmountIn?: string | undefined
  }
  /** The issuer of the token has blocked the account in `field`. Use another account or another token. HTTP status 422 */
  'svc/account-blocked': {
    /** Address of the token */
    token: `0x${string}`
    /** Address of the account that the token has blocked */
    account?: `0x${string}` | undefined
    /** Field or parameter that was refused */
    field?: string | undefined
  }
  /** The API key does not allow the address of the client. HTTP status 403 */
  'svc/address-forbidden': {}
  /** The transaction is already mined and cannot be replaced. HTTP status 409 */
  'svc/already-mined': {}
  /** The output is zero after rounding and the fee. HTTP status 422 */
  'svc/amount-too-small': {}
  /** The output is below the requested minimum. HTTP status 422 */
  'svc/below-min-target': {
    /** Amount that the conversion pays */
    amountOut?: string | undefined
    /** Smallest amount to receive, as requested */
    minAmountOut?: string | undefined
  }
  /** The deadline is not after the newest block. HTTP status 422 */
  'svc/deadline-passed': {}
  /** The service does not support the expectation in the header Expect. HTTP status 417 */
  'svc/expectation-failed': {}
  /** The account has claimed within the cooldown. HTTP status 429 */
  'svc/faucet-cooldown': {
    /** Time from which the user may claim */
    nextClaimAt: string
    /** Seconds to wait before a retry */
    retryAfterSeconds: number
  }
  /** The faucet has run out of a token. HTTP status 503 */
  'svc/faucet-dry': {
    /** Address of the token */
    token: `0x${string}`
    /** Hash of the broadcast transaction. The transaction may be mined despite the error, and broadcasting it again is safe. Absent in other operations */
    transactionHash?: `0x${string}` | undefined
  }
  /** The operator does not have the role that the operation needs. HTTP status 403 */
  'svc/forbidden-role': {
    /** Role that the operator does not have */
    role: string
  }
  /** The API key does not have the scope of the operation. HTTP status 403 */
  'svc/forbidden-scope': {
    /** Scope that the API key lacks */
    scope: Scope
  }
  /** The URL and the headers of the request are too large. HTTP status 431 */
  'svc/headers-too-large': {}
  /** A request with the same Idempotency-Key is in progress. HTTP status 409 */
  'svc/idempotency-key-in-use': {}
  /** The Idempotency-Key was used for a request with another input. HTTP status 422 */
  'svc/idempotency-key-reused': {}
  /** The allowance for the spender (the router or a pool) is below the amount. HTTP status 422 */
  'svc/insufficient-allowance': {
    /** Amount that the transaction needs */
    required?: string | undefined
    /** Amount that the wallet has */
    current?: string | undefined
  }
  /** The balance of the input token is too low. HTTP status 422 */
  'svc/insufficient-balance': {
    /** Amount that the transaction needs */
    required?: string | undefined
    /** Amount that the wallet has */
    current?: string | undefined
  }
  /** The native balance is too low to pay for gas. HTTP status 422 */
  'svc/insufficient-gas': {
    /** Amount that the transaction needs */
    required: string
    /** Amount that the wallet has */
    current: string
    /** Hash of the broadcast transaction. The transaction may be mined despite the error, and broadcasting it again is safe. Absent in other operations */
    transactionHash?: `0x${string}` | undefined
  }
  /** The service failed unexpectedly. HTTP status 500 */
  'svc/internal': {
    /** Hash of the broadcast transaction. The transaction may be mined despite the error, and broadcasting it again is safe. Absent in other operations */
    transactionHash?: `0x${string}` | undefined
  }
  /** A value is not an address. HTTP status 400 */
  'svc/invalid-address': {
    /** Field or parameter that was refused */
    field: string
    /** Refused value. Absent if it is missing, an object or an array */
    value?: unknown
    /** Refused fields, if there are several. The first is `field` */
    errors?:
      | {
          /** Field or parameter that was refused */
          field: string
          /** What is wrong with it */
          message: string
        }[]
      | undefined
  }
  /** The token or Permit2 would reject the signature for the given `reason`. HTTP status 422 */
  'svc/invalid-permit': {
    /** What is wrong with the signature. `signer`: Another account or other terms were signed, the signature is malformed or malleable, or the code of the account rejects it. `deadline`: The deadline of the permit has passed. For Permit2, the deadline differs from the expiry of the quote. `nonce`: The permit was signed for another nonce, or its nonce has been used. `domain`: The permit was signed for another token, contract or network, or the token or the called contract does not accept permits. `amount`: The permitted amount is less than the conversion may take, or differs from the signed amount */
    reason: 'signer' | 'deadline' | 'nonce' | 'domain' | 'amount'
  }
  /** A field or parameter is missing, unknown or malformed. HTTP status 400 */
  'svc/invalid-request': {
    /** Field or parameter that was refused */
    field: string
    /** Refused value. Absent if it is missing, an object or an array */
    value?: unknown
    /** Refused fields, if there are several. The first is `field` */
    errors?:
      | {
          /** Field or parameter that was refused */
          field: string
          /** What is wrong with it */
          message: string
        }[]
      | undefined
  }
  /** The signed transaction does not decode, is not of type 2, or was rejected by the node. HTTP status 400 */
  'svc/invalid-transaction': {
    /** Field or parameter that was refused */
    field: string
    /** Hash of the broadcast transaction. The transaction may be mined despite the error, and broadcasting it again is safe. Absent in other operations */
    transactionHash?: `0x${string}` | undefined
  }
  /** The API key has expired. HTTP status 403 */
  'svc/key-expired': {}
  /** The API key is revoked, or its overlap after a rotation has ended. HTTP status 403 */
  'svc/key-revoked': {}
  /** The curve of the pool has no price for this amount, because its iteration does not converge. Try another amount. HTTP status 422 */
  'svc/no-convergence': {
    /** Amount to pay */
    amountIn?: string | undefined
    /** Amount near the requested amount that the pool accepts now */
    nearestAmountIn?: string | undefined
  }
  /** No pools connect the two tokens. HTTP status 422 */
  'svc/no-route': {}
  /** The nonce is already used by another transaction. HTTP status 409 */
  'svc/nonce-too-low': {
    /** Hash of the broadcast transaction. The transaction may be mined despite the error, and broadcasting it again is safe. Absent in other operations */
    transactionHash?: `0x${string}` | undefined
  }
  /** The transaction is not a conversion of the deployment. HTTP status 422 */
  'svc/not-a-conversion': {}
  /** No operation exists at this path. HTTP status 404 */
  'svc/not-found': {}
  /** The API key does not allow the origin of the page, or the request has no origin. HTTP status 403 */
  'svc/origin-forbidden': {}
  /** The request body is too large. HTTP status 413 */
  'svc/payload-too-large': {}
  /** The pool is frozen by its owner or guardian. HTTP status 422 */
  'svc/pool-frozen': {}
  /** The deployment does not have this pool. HTTP status 404 */
  'svc/pool-not-found': {
    /** Field or parameter that was refused */
    field: string
    /** Refused value. Absent if it is missing, an object or an array */
    value?: unknown
  }
  /** The monthly quota is used up. HTTP status 429 */
  'svc/quota-exceeded': {
    /** Seconds to wait before a retry */
    retryAfterSeconds: number
  }
  /** The quote has expired. HTTP status 410 */
  'svc/quote-expired': {
    /** Time at which the quote expired */
    expiresAt: string
  }
  /** The quote is malformed, was altered, or was signed with a secret that the service no longer has. HTTP status 400 */
  'svc/quote-invalid': {
    /** Field or parameter that was refused */
    field: string
  }
  /** The request or the signed transaction differs from the quote. HTTP status 409 */
  'svc/quote-mismatch': {
    /** Field or parameter that was refused */
    field: string
    /** Value in the quote */
    expected: string
    /** Value in the request or the transaction */
    actual: string
  }
  /** The quote was issued to another API key. HTTP status 403 */
  'svc/quote-not-yours': {}
  /** The operator has paused quotes for the two tokens. HTTP status 422 */
  'svc/quoting-paused': {}
  /** The rate limit is reached. HTTP status 429 */
  'svc/rate-limited': {
    /** Seconds to wait before a retry */
    retryAfterSeconds: number
  }
  /** The contract that the conversion calls can pay only the sender. HTTP status 422 */
  'svc/recipient-unsupported': {
    /** Field or parameter that was refused */
    field: string
  }
  /** The reference token is not worth a dollar. The pool converts again once its price is back in its band, which may take long. HTTP status 422 */
  'svc/reference-depegged': {
    /** Address of the price feed of the reference token */
    feed: `0x${string}`
    /** Price of the reference token in US dollars */
    answer: string
    /** Lowest price of the reference token at which the pool converts */
    minAnswer: string
    /** Highest price of the reference token at which the pool converts */
    maxAnswer: string
  }
  /** The request did not arrive in time. HTTP status 408 */
  'svc/request-timeout': {}
  /** The contract reverts for a reason without its own error code. HTTP status 422 */
  'svc/reverted': {
    /** Error with which the contract reverted */
    revert: {
      /** Name of the error */
      name: string
      /** Arguments of the error */
      args: string[]
    }
  }
  /** The oracle price does not count for the given `reason`. Usually it is older than its maximum age: one hour, or the age that the deployment declares for the feed. HTTP status 422 */
  'svc/stale-price': {
    /** Address of the oracle */
    oracle: `0x${string}`
    /** Time of the last update of the price */
    updatedAt: string
    /** Maximum age of a price in seconds */
    maxAgeSeconds: number
    /** Why pools refuse to convert at the price. `age`: The price is older than its maximum age, or was never set. `invalid`: The answer of the oracle is zero or negative. `bounds`: The answer of the oracle is outside of the bounds within which the pool accepts it, so it is probably wrong. `step`: The answer of the oracle differs from the answer of the round before by more than the pool accepts. The next round that is close to it confirms it. `sequencer`: The sequencer of the network is down, or has restarted so recently that oracles may not have been updated. `oracle` is its uptime feed */
    reason?: 'age' | 'invalid' | 'bounds' | 'step' | 'sequencer' | undefined
    /** Time at which the market of the price opens. Present only while the market is closed */
    opensAt?: string | undefined
    /** Seconds to wait before a retry */
    retryAfterSeconds?: number | undefined
  }
  /** The database of keys and usage is unreachable. HTTP status 503 */
  'svc/storage-unavailable': {}
  /** The process has its maximum number of streams open. HTTP status 503 */
  'svc/streams-full': {
    /** Seconds to wait before a retry */
    retryAfterSeconds: number
  }
  /** The issuer of the token has paused all its transfers. HTTP status 422 */
  'svc/token-paused': {
    /** Address of the token */
    token: `0x${string}`
  }
  /** No node knows the transaction. HTTP status 404 */
  'svc/transaction-not-found': {}
  /** The API key is missing or unknown. HTTP status 401 */
  'svc/unauthorized': {}
  /** The gas price is below the minimum of the node. HTTP status 409 */
  'svc/underpriced': {
    /** Hash of the broadcast transaction. The transaction may be mined despite the error, and broadcasting it again is safe. Absent in other operations */
    transactionHash?: `0x${string}` | undefined
  }
  /** The service does not serve the chain. HTTP status 400 */
  'svc/unsupported-chain': {
    /** Field or parameter that was refused */
    field: string
    /** Refused value. Absent if it is missing, an object or an array */
    value?: unknown
    /** Refused fields, if there are several. The first is `field` */
    errors?:
      | {
          /** Field or parameter that was refused */
          field: string
          /** What is wrong with it */
          message: string
        }[]
      | undefined
  }
  /** The request body is not declared as application/json in UTF-8. HTTP status 415 */
  'svc/unsupported-media-type': {}
  /** The deployment or the pool does not have this token. HTTP status 400 */
  'svc/unsupported-token': {
    /** Field or parameter that was refused */
    field: string
    /** Refused value. Absent if it is missing, an object or an array */
    value?: unknown
  }
  /** The upstream node returned an invalid response. HTTP status 502 */
  'svc/upstream-error': {
    /** Hash of the broadcast transaction. The transaction may be mined despite the error, and broadcasting it again is safe. Absent in other operations */
    transactionHash?: `0x${string}` | undefined
  }
  /** The upstream node did not respond in time. HTTP status 504 */
  'svc/upstream-timeout': {
    /** Hash of the broadcast transaction. The transaction may be mined despite the error, and broadcasting it again is safe. Absent in other operations */
    transactionHash?: `0x${string}` | undefined
  }
  /** The upstream node is unreachable or lags behind. HTTP status 503 */
  'svc/upstream-unavailable': {
    /** Hash of the broadcast transaction. The transaction may be mined despite the error, and broadcasting it again is safe. Absent in other operations */
    transactionHash?: `0x${string}` | undefined
  }
  /** The API key has the maximum number of webhooks or of followed transactions. HTTP status 409 */
  'svc/webhook-limit': {}
  /** The webhook or delivery does not exist, or belongs to another API key. HTTP status 404 */
  'svc/webhook-not-found': {}
  /** The signed transaction is for another chain. HTTP status 400 */
  'svc/wrong-chain': {
    /** Field or parameter that was refused */
    field: string
    /** Refused value. Absent if it is missing, an object or an array */
    value?: unknown
  }
}

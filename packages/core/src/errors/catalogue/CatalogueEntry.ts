import type { Scope } from '../../key/Scope.ts'
import type { PermitRefusal } from './permitRefusals.ts'
import type { ErrorClass } from './errorClasses.ts'
import type { PriceRefusal } from './priceRefusals.ts'

/** The documentation of an error code. */
export type CatalogueEntry = {
  readonly status: number
  /** What failed. The exit code of the `agio` command is the exit code of the class. */
  readonly class: ErrorClass
  readonly title: string
  /** Whether the same request can succeed later. */
  readonly retryable: boolean
  /** What the caller should do next. */
  readonly action: 'requote' | 'wait' | 'fix_input' | 'fund' | 'approve' | 'retry'
  readonly details: readonly (keyof DetailTypes)[]
  /**
   * The details that an error omits if their values are unknown, for example when a pool reverts with a message and no
   * values. Only broadcasts have a transaction hash.
   */
  readonly optional?: readonly (keyof DetailTypes)[]
}

/** The types of the fields whose type depends on the code. */
export type DetailTypesOf = {
  readonly 'svc/stale-price': { readonly reason: PriceRefusal }
  readonly 'svc/invalid-permit': { readonly reason: PermitRefusal }
}

/** The types of the fields that errors add to the common ones. */
export type DetailTypes = {
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
  /** The feed of the reference token. */
  readonly feed: string
  /** Dollars per whole token, as a decimal. */
  readonly answer: string
  readonly minAnswer: string
  readonly maxAnswer: string
  /** The value that the quote fixes, as text. */
  readonly expected: string
  /** The value of the request or the transaction, as text. */
  readonly actual: string
  readonly retryAfterSeconds: number
  /** The scope that the key lacks. */
  readonly scope: Scope
  readonly token: string
  /** The address of an account that a token has blocked. */
  readonly account: string
  /** The role that an operator does not have. */
  readonly role: string
  /** The hash of a broadcast transaction, which may be mined despite the error. */
  readonly transactionHash: string
  readonly reason: PermitRefusal | PriceRefusal
  readonly field: string
  readonly value: unknown
  /** The refused fields, if there are several, with the message of each. */
  readonly errors: readonly { readonly field: string; readonly message: string }[]
  readonly revert: { readonly name: string; readonly args: readonly string[] }
}

/** The entry of most errors of a request that the caller corrects. */
export const input = { class: 'input', retryable: false, action: 'fix_input', details: [] } as const

/** The entry of most errors of a key or an operator. */
export const authentication = { ...input, class: 'authentication' } as const

/** The entry of an account that lacks something. */
export const funds = {
  status: 422,
  class: 'funds',
  retryable: true,
  action: 'fund',
  details: ['required', 'current'],
  optional: ['required', 'current'],
} as const

/** The entry of most errors of a limit that time resets. */
export const limit = { class: 'limit', retryable: true, action: 'wait', details: ['retryAfterSeconds'] } as const

/** The entry of most errors of the service, its nodes and its database. */
export const upstream = { class: 'upstream', retryable: true, action: 'retry', details: [] } as const

/** The entry of most errors of a conversion that the pools refuse at its terms. */
export const market = { ...input, class: 'market' } as const

/** The entry of most errors of a conversion that the pools refuse at present. */
export const changingMarket = { ...market, retryable: true, action: 'wait' } as const

import type { Limits, Tier } from '@agio/core'

/** An API key, as far as a request needs it. */
export type ApiKey = {
  readonly id: string
  readonly name: string
  readonly tier: Tier
  /** Limits of this key alone, if its tier allows them. */
  readonly limits?: Limits | undefined
}

/** What an applicant states about itself, and the tier and limits that the operator grants. */
export type KeyApplication = {
  readonly name: string
  readonly company?: string | undefined
  readonly email: string
  readonly useCase: string
  readonly expectedVolume: string
  readonly tier: Tier
  readonly limits?: Limits | undefined
}

/** A key as the operator sees it, without its secret. */
export type KeyRecord = KeyApplication & {
  readonly id: string
  /** The first characters of its newest secret. */
  readonly prefix: string
  readonly createdAt: Date
  readonly revokedAt?: Date | undefined
}

/** A key with its new secret, which is returned only once. */
export type IssuedKey = { readonly key: KeyRecord; readonly secret: string }

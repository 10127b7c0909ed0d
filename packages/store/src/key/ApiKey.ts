import type { Limits, Tier } from '@agio/core'

/** A caller: what a request needs to know of its key. */
export type ApiKey = {
  readonly id: string
  readonly name: string
  readonly tier: Tier
  /** The key's own limits, where its tier leaves them to the key. */
  readonly limits?: Limits | undefined
}

/** What an applicant supplies, and what the operator grants. */
export type KeyApplication = {
  readonly name: string
  readonly company?: string | undefined
  readonly email: string
  readonly useCase: string
  readonly expectedVolume: string
  readonly tier: Tier
  readonly limits?: Limits | undefined
}

/** A key as the operator sees it. Its secret is not among what is known of it. */
export type KeyRecord = KeyApplication & {
  readonly id: string
  /** The first characters of its newest secret. */
  readonly prefix: string
  readonly createdAt: Date
  readonly revokedAt?: Date | undefined
}

/** A key with the secret that was just made for it, which is shown this once. */
export type IssuedKey = { readonly key: KeyRecord; readonly secret: string }

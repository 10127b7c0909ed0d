import type { Tier } from '@agio/core'

/** The part of an API key that a request needs. */
export type ApiKey = {
  readonly id: string
  readonly name: string
  readonly tier: Tier.Tier
  /** The key's own limits, if its tier allows them. */
  readonly limits?: Tier.Limits | undefined
}

/** The application of a client, with the tier and the limits that the operator grants. */
export type KeyApplication = {
  readonly name: string
  readonly company?: string | undefined
  readonly email: string
  readonly useCase: string
  readonly expectedVolume: string
  readonly tier: Tier.Tier
  readonly limits?: Tier.Limits | undefined
}

/** A key as shown to the operator, without its secret. */
export type KeyRecord = KeyApplication & {
  readonly id: string
  /** The first characters of its newest secret. */
  readonly prefix: string
  readonly createdAt: Date
  readonly revokedAt?: Date | undefined
}

/** A key with its new secret, which is returned only once. */
export type CreatedKey = { readonly key: KeyRecord; readonly secret: string }

/** The position of a page in a list: its number, from 1, and the maximum number of entries of each page. */
export type PageOptions = { readonly page: number; readonly limit: number }

/** One page of keys, and the number of all keys. */
export type KeyPage = { readonly keys: readonly KeyRecord[]; readonly total: number }

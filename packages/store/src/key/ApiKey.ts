import type { Scope, Tier } from '@agio/core'

/** The part of an API key that a request needs. */
export type ApiKey = {
  readonly id: string
  readonly name: string
  readonly tier: Tier.Tier
  /** The key's own limits, if its tier allows them. */
  readonly limits?: Tier.Limits | undefined
  /** What restricts the use of the key; undefined for a key without restrictions, whose requests need no further checks. */
  readonly restrictions?: KeyRestrictions | undefined
}

/** `secret`: for servers. `publishable`: for pages, whose visitors can read the key. */
export type KeyKind = 'secret' | 'publishable'

/** What restricts the use of a key. An absent field restricts nothing. */
export type KeyRestrictions = {
  /** What the key may do. */
  readonly scopes?: readonly Scope.Scope[] | undefined
  /** When the key expires, with all of its secrets. */
  readonly expiresAt?: Date | undefined
  /** The networks in CIDR notation whose addresses may use the key. */
  readonly allowedCidrs?: readonly string[] | undefined
  /** Whether requests from other addresses are only logged. */
  readonly isCidrDryRun?: boolean | undefined
  /** The origins whose pages may use the key. */
  readonly allowedOrigins?: readonly string[] | undefined
}

/** The application of a client, with the tier, the limits and the restrictions that the operator grants. */
export type KeyApplication = KeyRestrictions & {
  /** Default: `secret`. */
  readonly kind?: KeyKind | undefined
  readonly name: string
  readonly company?: string | undefined
  readonly email: string
  readonly useCase: string
  readonly expectedVolume: string
  readonly tier: Tier.Tier
  readonly limits?: Tier.Limits | undefined
}

/** The changes of a key. An absent field keeps its value, and null removes it. */
export type KeyChanges = {
  readonly [Field in 'name' | 'email' | 'useCase' | 'expectedVolume' | 'isCidrDryRun']?:
    | KeyApplication[Field]
    | undefined
} & {
  readonly [Field in 'company' | Exclude<keyof KeyRestrictions, 'isCidrDryRun'>]?:
    | KeyApplication[Field]
    | null
    | undefined
}

/** A key as shown to the operator, without its secret. */
export type KeyRecord = KeyApplication & {
  readonly id: string
  readonly kind: KeyKind
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

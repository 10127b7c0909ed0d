// Generated from the router by `pnpm generate`. Do not edit.

import type { ChainId, Tier } from '../api/schemas.ts'

/** The usage of all keys in a month, with a page of keys */
export type AdminStats = {
  /** Month in UTC */
  month: string
  /** Usage of all keys together */
  totals: {
    /** Admitted calls of all keys */
    calls: number
    /** Calls of all keys refused with 429 */
    refused: number
  }
  /** Usage by key, of the keys of the page, newest first */
  keys: KeyStats[]
  /** Position of the page */
  pagination: {
    /** Number of the page */
    page: number
    /** Maximum number of keys per page */
    limit: number
    /** Number of all keys */
    total: number
  }
}

/** An API key, without its secret */
export type ApiKey = {
  /** Id of the key */
  id: string
  /** First characters of the newest secret */
  prefix: string
  /** Name of the key */
  name: string
  /** Company that uses the key */
  company?: string | undefined
  /** Email address for questions about the key */
  email: string
  /** Use of the key */
  useCase: string
  /** Expected volume */
  expectedVolume: string
  /** Tier, which sets the limits */
  tier: Tier
  /** Limits of the key. Absent for tiers with fixed limits */
  limits?:
    | {
        /** Maximum number of calls per window */
        requests: number
        /** Length of the window in seconds */
        windowSeconds: number
        /** Maximum number of calls per second */
        burstPerSecond: number
        /** Maximum number of calls per month, UTC */
        monthlyQuota: number
        /** Maximum number of concurrent streams. Default: 10 */
        streams?: number | undefined
      }
    | undefined
  /** Time at which the key was created */
  createdAt: string
  /** Time of the revocation. Absent for an active key */
  revokedAt?: string | undefined
}

/** A page of API keys */
export type ApiKeyList = {
  /** Keys of the page, newest first */
  keys: ApiKey[]
  /** Position of the page */
  pagination: {
    /** Number of the page */
    page: number
    /** Maximum number of keys per page */
    limit: number
    /** Number of all keys */
    total: number
  }
}

/** An API key with its secret */
export type IssuedApiKey = {
  /** Id of the key */
  id: string
  /** First characters of the newest secret */
  prefix: string
  /** Name of the key */
  name: string
  /** Company that uses the key */
  company?: string | undefined
  /** Email address for questions about the key */
  email: string
  /** Use of the key */
  useCase: string
  /** Expected volume */
  expectedVolume: string
  /** Tier, which sets the limits */
  tier: Tier
  /** Limits of the key. Absent for tiers with fixed limits */
  limits?:
    | {
        /** Maximum number of calls per window */
        requests: number
        /** Length of the window in seconds */
        windowSeconds: number
        /** Maximum number of calls per second */
        burstPerSecond: number
        /** Maximum number of calls per month, UTC */
        monthlyQuota: number
        /** Maximum number of concurrent streams. Default: 10 */
        streams?: number | undefined
      }
    | undefined
  /** Time at which the key was created */
  createdAt: string
  /** Time of the revocation. Absent for an active key */
  revokedAt?: string | undefined
  /** Secret for the header X-API-Key. Only this response contains it */
  key: string
}

/** The usage of a key on a day */
export type KeyDay = {
  /** Day in UTC */
  day: string
  /** Admitted calls of the day */
  calls: number
  /** Calls of the day refused with 429 */
  refused: number
}

/** The usage of a key in a month */
export type KeyStats = {
  /** Id of the key */
  id: string
  /** First characters of the newest secret */
  prefix: string
  /** Name of the key */
  name: string
  /** Company that uses the key */
  company?: string | undefined
  /** Tier, which sets the limits */
  tier: Tier
  /** Time at which the key was created */
  createdAt: string
  /** Time of the last admitted call. Absent before the first */
  lastUsedAt?: string | undefined
  /** Time of the revocation. Absent for an active key */
  revokedAt?: string | undefined
  /** Admitted calls of the month */
  calls: number
  /** Admitted calls by operation */
  callsByOperation: { [name: string]: number }
  /** Calls refused with 429 */
  refused: number
  /** Days with calls, oldest first. Calls that an older version counted only by month are not included. */
  days: KeyDay[]
  /** Calls per month. Absent for a tier without limits */
  quota?: number | undefined
  /** Remaining calls of the month */
  remaining?: number | undefined
}

/** The limits of a key of the tier `production` */
export type Limits = {
  /** Maximum number of calls per window */
  requests: number
  /** Length of the window in seconds */
  windowSeconds: number
  /** Maximum number of calls per second */
  burstPerSecond: number
  /** Maximum number of calls per month, UTC */
  monthlyQuota: number
  /** Maximum number of concurrent streams. Default: 10 */
  streams?: number | undefined
}

/** A pair of tokens for which quotes are paused, in both directions */
export type QuotePause = {
  chainId: ChainId
  /** One of the two tokens */
  tokenA: `0x${string}`
  /** The other token */
  tokenB: `0x${string}`
  /** Time of the pause */
  pausedAt: string
}

/** The pairs of tokens for which quotes are paused */
export type QuotePauses = {
  /** All paused pairs, oldest pause first */
  pauses: QuotePause[]
}

/** A secret that signs quotes, without the secret itself */
export type QuoteSecret = {
  /** Id of the new secret. Quotes begin with this id */
  id: string
  /** Time at which the secret was stored */
  createdAt: string
  /** Time from which the secret signs */
  signsFrom: string
}

/** An API key with its new secret */
export type RotatedApiKey = {
  /** Id of the key */
  id: string
  /** First characters of the newest secret */
  prefix: string
  /** Name of the key */
  name: string
  /** Company that uses the key */
  company?: string | undefined
  /** Email address for questions about the key */
  email: string
  /** Use of the key */
  useCase: string
  /** Expected volume */
  expectedVolume: string
  /** Tier, which sets the limits */
  tier: Tier
  /** Limits of the key. Absent for tiers with fixed limits */
  limits?:
    | {
        /** Maximum number of calls per window */
        requests: number
        /** Length of the window in seconds */
        windowSeconds: number
        /** Maximum number of calls per second */
        burstPerSecond: number
        /** Maximum number of calls per month, UTC */
        monthlyQuota: number
        /** Maximum number of concurrent streams. Default: 10 */
        streams?: number | undefined
      }
    | undefined
  /** Time at which the key was created */
  createdAt: string
  /** Time of the revocation. Absent for an active key */
  revokedAt?: string | undefined
  /** Secret for the header X-API-Key. Only this response contains it */
  key: string
  /** Time at which the older secrets expire */
  oldKeysExpireAt: string
}

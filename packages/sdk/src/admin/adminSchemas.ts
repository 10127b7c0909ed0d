// Generated from the router by `pnpm generate`. Do not edit.

import type { ChainId, KeyKind, Scope, Tier } from '../api/schemas.ts'

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
  kind: KeyKind
  /** Name of the key */
  name: string
  /** Tier, which sets the limits */
  tier: Tier
  /** Limits of the key. Absent for a tier without limits of the key */
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
  /** What the key may do. Absent if it may do everything */
  scopes?: Scope[] | undefined
  /** Time at which the key expires, with all of its secrets */
  expiresAt?: string | undefined
  /** Networks and addresses from which the key works, IPv4 and IPv6. At most 100 */
  allowedCidrs?: string[] | undefined
  /** Whether requests from other addresses than `allowedCidrs` are only logged, not refused */
  isCidrDryRun?: boolean | undefined
  /** Origins whose pages may use the key. At most 100. Requests without `Origin` are refused too */
  allowedOrigins?: string[] | undefined
  /** Company that uses the key */
  company?: string | undefined
  /** Email address for questions about the key */
  email: string
  /** Use of the key */
  useCase: string
  /** Expected volume */
  expectedVolume: string
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

/** A change by an operator, or by an API key */
export type AuditEvent = {
  /** Position of the event. The first event has 1 */
  position: number
  /** Time of the change */
  time: string
  /** Name of the operator, or `key:<id>` for an API key that changed itself */
  operator: string
  /** Name of the operation */
  operation: string
  /** Id of the key or secret, or chain and tokens */
  target: string
  /** IP address of the client */
  address: string
  /** Id of the request */
  requestId: string
  /** Names of the changed fields, without their values */
  fields: string[]
  /** `hash` of the event before */
  previousHash: string
  /** SHA-256 of the event, in hex */
  hash: string
}

/** Events of the audit log */
export type AuditLog = {
  /** Events, newest first */
  events: AuditEvent[]
  /** The newest event of the log. Position 0 if it is empty */
  newest: {
    /** Position of the event. The first event has 1 */
    position: number
    /** SHA-256 of the event, in hex */
    hash: string
  }
  /** The last event that was removed because of its age. The log begins after it. Position 0 without one */
  removed: {
    /** Position of the event. The first event has 1 */
    position: number
    /** SHA-256 of the event, in hex */
    hash: string
  }
  /** Days for which events are kept. Absent if no event is removed */
  retentionDays?: number | undefined
}

/** A copy of the database, on the disk of the service */
export type Backup = {
  /** Name of the file in `BACKUP_DIR` of the service */
  file: string
  /** Size of the file */
  bytes: number
  /** Start of the copy */
  createdAt: string
}

/** An API key with its secret */
export type IssuedApiKey = {
  /** Id of the key */
  id: string
  /** First characters of the newest secret */
  prefix: string
  kind: KeyKind
  /** Name of the key */
  name: string
  /** Tier, which sets the limits */
  tier: Tier
  /** Limits of the key. Absent for a tier without limits of the key */
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
  /** What the key may do. Absent if it may do everything */
  scopes?: Scope[] | undefined
  /** Time at which the key expires, with all of its secrets */
  expiresAt?: string | undefined
  /** Networks and addresses from which the key works, IPv4 and IPv6. At most 100 */
  allowedCidrs?: string[] | undefined
  /** Whether requests from other addresses than `allowedCidrs` are only logged, not refused */
  isCidrDryRun?: boolean | undefined
  /** Origins whose pages may use the key. At most 100. Requests without `Origin` are refused too */
  allowedOrigins?: string[] | undefined
  /** Company that uses the key */
  company?: string | undefined
  /** Email address for questions about the key */
  email: string
  /** Use of the key */
  useCase: string
  /** Expected volume */
  expectedVolume: string
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

/** A request in the log of an API key */
export type LoggedKeyRequest = {
  /** Id of the entry, for `before` */
  id: string
  /** Time at which the request arrived */
  at: string
  /** Id of the request */
  requestId: string
  /** Operation that was called */
  operation: string
  /** HTTP status. Each call of a tRPC batch has its own */
  status: number
  /** Code of the error, or of the failure of the transaction */
  code?: string | undefined
  /** How long the request took. The calls of a tRPC batch share the times of their request */
  durationMs: {
    /** Milliseconds from the request to the response */
    total: number
    /** The part of the service itself */
    edge: number
    /** The part that waited for a turn at the nodes */
    queue: number
    /** The part that waited for nodes */
    node: number
  }
  /** Reads of nodes by the request */
  nodeRequests: number
  /** Input without secret and personal values, which are `[redacted]`. Absent if the request was refused before its input was read */
  input?: { [name: string]: unknown } | undefined
  /** For a refusal, the nearest values that work, if the service knows them */
  nearestInput?: { [name: string]: string } | undefined
  /** Hash of the transaction that the request names or sends */
  transactionHash?: `0x${string}` | undefined
  /** Id of the key */
  keyId: string
}

/** Requests of API keys */
export type LoggedKeyRequestList = {
  /** Requests, newest first */
  requests: LoggedKeyRequest[]
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
  kind: KeyKind
  /** Name of the key */
  name: string
  /** Tier, which sets the limits */
  tier: Tier
  /** Limits of the key. Absent for a tier without limits of the key */
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
  /** What the key may do. Absent if it may do everything */
  scopes?: Scope[] | undefined
  /** Time at which the key expires, with all of its secrets */
  expiresAt?: string | undefined
  /** Networks and addresses from which the key works, IPv4 and IPv6. At most 100 */
  allowedCidrs?: string[] | undefined
  /** Whether requests from other addresses than `allowedCidrs` are only logged, not refused */
  isCidrDryRun?: boolean | undefined
  /** Origins whose pages may use the key. At most 100. Requests without `Origin` are refused too */
  allowedOrigins?: string[] | undefined
  /** Company that uses the key */
  company?: string | undefined
  /** Email address for questions about the key */
  email: string
  /** Use of the key */
  useCase: string
  /** Expected volume */
  expectedVolume: string
  /** Time at which the key was created */
  createdAt: string
  /** Time of the revocation. Absent for an active key */
  revokedAt?: string | undefined
  /** Secret for the header X-API-Key. Only this response contains it */
  key: string
  /** Time at which the older secrets expire */
  oldKeysExpireAt: string
}

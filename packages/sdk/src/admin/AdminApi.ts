// Generated from the router by `pnpm generate`. Do not edit.

import type { Mutation, Query } from '../api/procedures.ts'
import type { ChainId, ErrorCode, KeyKind, Scope } from '../api/schemas.ts'
import type {
  AdminStats,
  ApiKey,
  ApiKeyList,
  AuditLog,
  Backup,
  IssuedApiKey,
  Limits,
  LoggedKeyRequestList,
  QuotePauses,
  QuoteSecret,
  RotatedApiKey,
} from './adminSchemas.ts'

/** Input of `getUsage`. */
export type GetUsageInput = {
  /** Month in UTC. Default: the current month */
  month?: string | undefined
  /**
   * Number of the page, from 1
   * @default 1
   */
  page?: number | undefined
  /**
   * Maximum number of keys per page
   * @default 1000
   */
  limit?: number | undefined
}

/** Input of `listRequests`. */
export type ListRequestsInput = {
  /** Only requests of this key */
  keyId?: string | undefined
  /** Only requests at or after this time */
  from?: string | undefined
  /** Only requests before this time */
  to?: string | undefined
  /** Only requests of this operation */
  operation?: string | undefined
  /** Only requests with this HTTP status */
  status?: number | undefined
  /** Only requests with this error code */
  code?: ErrorCode | undefined
  /** Only the request with this id */
  requestId?: string | undefined
  /** Only requests that name or send this transaction */
  transactionHash?: `0x${string}` | undefined
  /** Only requests before the one with this `id`, for the next page */
  before?: string | undefined
  /**
   * Maximum number of requests
   * @default 100
   */
  limit?: number | undefined
}

/** Input of `listAuditEvents`. */
export type ListAuditEventsInput = {
  /** Only changes by this operator */
  operator?: string | undefined
  /** Only changes by this operation */
  operation?: string | undefined
  /** Only changes of this target */
  target?: string | undefined
  /** Only changes at or after this time */
  from?: string | undefined
  /** Only changes before this time */
  to?: string | undefined
  /** Only events before this `position`, for the next page */
  before?: number | undefined
  /**
   * Maximum number of events
   * @default 100
   */
  limit?: number | undefined
}

/** Input of `createBackup`. */
export type CreateBackupInput = {}

/** Input of `issueApiKey`. */
export type IssueApiKeyInput = {
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
  /**
   * Tier, which sets the limits
   * @default "standard"
   */
  tier?: 'standard' | 'sandbox' | 'staging' | 'production' | undefined
  /** Limits of a `production` key */
  limits?: Limits | undefined
  /** @default "secret" */
  kind?: KeyKind | undefined
  /** What the key may do. Default: all but `rotate`; for a publishable key, `read` */
  scopes?: Scope[] | undefined
  /** Time at which the key expires, with all of its secrets */
  expiresAt?: string | undefined
  /** Networks and addresses from which the key works, IPv4 and IPv6. At most 100 */
  allowedCidrs?: string[] | undefined
  /** Whether requests from other addresses than `allowedCidrs` are only logged, not refused */
  isCidrDryRun?: boolean | undefined
  /** Origins whose pages may use the key. At most 100. Requests without `Origin` are refused too */
  allowedOrigins?: string[] | undefined
}

/** Input of `listApiKeys`. */
export type ListApiKeysInput = {
  /**
   * Number of the page, from 1
   * @default 1
   */
  page?: number | undefined
  /**
   * Maximum number of keys per page
   * @default 1000
   */
  limit?: number | undefined
}

/** Input of `updateApiKey`. */
export type UpdateApiKeyInput = {
  /** Id of the key */
  id: string
  /** Name of the key */
  name?: string | undefined
  /** Company that uses the key */
  company?: string | null | undefined
  /** Email address for questions about the key */
  email?: string | undefined
  /** Use of the key */
  useCase?: string | undefined
  /** Expected volume */
  expectedVolume?: string | undefined
  /** What the key may do. `null`: everything */
  scopes?: Scope[] | null | undefined
  /** Time at which the key expires, with all of its secrets */
  expiresAt?: string | null | undefined
  /** Networks and addresses from which the key works, IPv4 and IPv6. At most 100 */
  allowedCidrs?: string[] | null | undefined
  /** Whether requests from other addresses than `allowedCidrs` are only logged, not refused */
  isCidrDryRun?: boolean | undefined
  /** Origins whose pages may use the key. At most 100. Requests without `Origin` are refused too */
  allowedOrigins?: string[] | null | undefined
}

/** Input of `rotateApiKey`. */
export type RotateApiKeyInput = {
  /** Id of the key */
  id: string
  /**
   * Seconds for which older secrets remain valid. Default: one day
   * @default 86400
   */
  overlapSeconds?: number | undefined
}

/** Input of `revokeApiKey`. */
export type RevokeApiKeyInput = {
  /** Id of the key */
  id: string
}

/** Input of `eraseApiKey`. */
export type EraseApiKeyInput = {
  /** Id of the key */
  id: string
}

/** Input of `rotateQuoteSecret`. */
export type RotateQuoteSecretInput = {}

/** Input of `revokeQuoteSecrets`. */
export type RevokeQuoteSecretsInput = {}

/** Input of `pauseQuotes`. */
export type PauseQuotesInput = {
  chainId: ChainId
  /** One of the two tokens */
  tokenA: `0x${string}`
  /** The other token */
  tokenB: `0x${string}`
}

/** Input of `resumeQuotes`. */
export type ResumeQuotesInput = {
  chainId: ChainId
  /** One of the two tokens */
  tokenA: `0x${string}`
  /** The other token */
  tokenB: `0x${string}`
}

/** The operations of operators, as procedures of a typed tRPC client. */
export type AdminApi = {
  readonly admin: {
    /** Get the usage of all keys in a month. Returns the admitted and refused calls of all keys together, and of each key of a page by operation and by day, newest key first. Calls that other processes counted in the last 250 ms may be missing. */
    readonly stats: Query<GetUsageInput, AdminStats>
    /** List the latest requests of keys. Returns requests of one key or of all keys, newest first, as `usage/requests` does. */
    readonly requests: Query<ListRequestsInput, LoggedKeyRequestList>
    /** List the audit log. Returns what operators and API keys changed, newest first. Each event contains the hash of the event before. `newest` and `removed` are the ends of the whole log, for its verification. */
    readonly audit: Query<ListAuditEventsInput, AuditLog>
    readonly backups: {
      /** Back the database up. Writes a copy of the embedded database to a new file in `BACKUP_DIR` of the service, which continues to serve. No response contains the copy. With PostgreSQL, use `pg_dump`. */
      readonly create: Mutation<CreateBackupInput, Backup>
    }
    readonly keys: {
      /** Create an API key. Returns a new key with its secret. The tier `production` requires `limits`. Other tiers do not accept limits. A `publishable` key has only the scope `read` and requires `allowedOrigins`. */
      readonly create: Mutation<IssueApiKeyInput, IssuedApiKey>
      /** List the keys. Returns a page of keys without their secrets, newest first. */
      readonly list: Query<ListApiKeysInput, ApiKeyList>
      /** Change a key. Changes the fields that the request contains, and returns the key. `null` removes a restriction, or the company. Every process applies the change within two seconds, also to open streams. A publishable key keeps the scope `read` and needs origins. */
      readonly update: Mutation<UpdateApiKeyInput, ApiKey>
      /** Rotate the secret of a key. Returns the key with a new secret. Older secrets remain valid until the overlap ends. */
      readonly rotate: Mutation<RotateApiKeyInput, RotatedApiKey>
      /** Revoke a key. Revokes all secrets of a key permanently. Every process refuses them within two seconds. Revoking a revoked key changes nothing. */
      readonly revoke: Mutation<RevokeApiKeyInput, ApiKey>
      /** Erase the personal data of a key. Removes the name, company, email address, use case and expected volume of a key, which are then empty, and its allowed addresses and origins. Revokes the key permanently. Its id and its usage remain. Erasing an erased key changes nothing. */
      readonly erase: Mutation<EraseApiKeyInput, ApiKey>
    }
    readonly quotes: {
      /** Rotate the secret that signs quotes. Stores a new secret, which signs quotes a minute later, when every process has read it. Existing quotes remain valid: a replaced secret verifies for 90 days. Another rotation within that minute returns the same secret. No response contains the secret itself. */
      readonly rotateSecret: Mutation<RotateQuoteSecretInput, QuoteSecret>
      /** Revoke all secrets that sign quotes. Deletes all secrets, and creates a new one that signs at once. All earlier quotes are then `svc/quote-invalid`, in every process within two seconds. Use it after a leak. No response contains the secret itself. */
      readonly revokeSecrets: Mutation<RevokeQuoteSecretsInput, QuoteSecret>
      /** Pause quotes for two tokens. Refuses new quotes for two tokens, in both directions, with `svc/quoting-paused`, until quotes are resumed. Also refuses quotes whose route contains a pool of these two tokens. The pause takes effect in every process within two seconds. Existing quotes remain valid until they expire, and previews continue. Pausing a paused pair changes nothing. */
      readonly pause: Mutation<PauseQuotesInput, QuotePauses>
      /** Resume quotes for two tokens. Ends a pause. New quotes are possible in every process within two seconds. Resuming a pair that is not paused changes nothing. */
      readonly resume: Mutation<ResumeQuotesInput, QuotePauses>
      /** List paused quotes. Returns the pairs of tokens for which quotes are paused, on all chains. */
      readonly listPauses: Query<void, QuotePauses>
    }
  }
}

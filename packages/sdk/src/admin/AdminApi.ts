// Generated from the router by `pnpm generate`. Do not edit.

import type { Mutation, Query } from '../api/procedures.ts'
import type { ChainId } from '../api/schemas.ts'
import type {
  AdminStats,
  ApiKey,
  ApiKeyList,
  IssuedApiKey,
  Limits,
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

/** Input of `rotateQuoteSecret`. */
export type RotateQuoteSecretInput = {}

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
    readonly keys: {
      /** Create an API key. Returns a new key with its secret. The tier `production` requires `limits`. Other tiers do not accept limits. */
      readonly create: Mutation<IssueApiKeyInput, IssuedApiKey>
      /** List the keys. Returns a page of keys without their secrets, newest first. */
      readonly list: Query<ListApiKeysInput, ApiKeyList>
      /** Rotate the secret of a key. Returns the key with a new secret. Older secrets remain valid until the overlap ends. */
      readonly rotate: Mutation<RotateApiKeyInput, RotatedApiKey>
      /** Revoke a key. Revokes all secrets of a key permanently. Every process refuses them within two seconds. Revoking a revoked key changes nothing. */
      readonly revoke: Mutation<RevokeApiKeyInput, ApiKey>
    }
    readonly quotes: {
      /** Rotate the secret that signs quotes. Stores a new secret, which signs quotes a minute later, when every process has read it. Existing quotes remain valid: a replaced secret verifies for 90 days. Another rotation within that minute returns the same secret. No response contains the secret itself. */
      readonly rotateSecret: Mutation<RotateQuoteSecretInput, QuoteSecret>
      /** Pause quotes for two tokens. Refuses new quotes for two tokens, in both directions, with `svc/quoting-paused`, until quotes are resumed. Also refuses quotes whose route contains a pool of these two tokens. The pause takes effect in every process within two seconds. Existing quotes remain valid until they expire, and previews continue. Pausing a paused pair changes nothing. */
      readonly pause: Mutation<PauseQuotesInput, QuotePauses>
      /** Resume quotes for two tokens. Ends a pause. New quotes are possible in every process within two seconds. Resuming a pair that is not paused changes nothing. */
      readonly resume: Mutation<ResumeQuotesInput, QuotePauses>
      /** List paused quotes. Returns the pairs of tokens for which quotes are paused, on all chains. */
      readonly listPauses: Query<void, QuotePauses>
    }
  }
}

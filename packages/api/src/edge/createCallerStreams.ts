import { Errors, Tier } from '@agio/core'
import type { Store } from '@agio/store'
import type { Caller } from '../admission/Caller.ts'
import type { KeyLimiter } from '../admission/createKeyLimiter.ts'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { Health } from '../health/toHealth.ts'
import type { CallerStreams } from '../stream/CallerStreams.ts'
import type { Streams } from '../stream/createStreams.ts'

// The name of the events of quotes in usage.
const quoteOperation = 'stream.quote'

/** Creates what gives an admitted request the streams of its key. */
export function createCallerStreams({ keys, streams, ...parts }: createCallerStreams.Parts): OpenCallerStreams {
  const { limitKey, readHealth } = parts
  return ({ credentials: { apiKey }, requestId }, { key }) => {
    if (!key || apiKey === null) throw Errors.internal({ action: 'open a stream', reason: 'it has no key' })
    const secretHash = keys.hash(apiKey)
    const caller = { keyId: key.id, secretHash, limit: Tier.maxStreams(key.tier, key.limits), requestId }
    return {
      share: streams.share,
      readHealth,
      open: (watches, signal) => streams.open(watches, { caller, signal }),
      chargeQuote: () => limitKey.charge(key, quoteOperation),
    }
  }
}

export declare namespace createCallerStreams {
  type Parts = {
    readonly keys: Pick<Store['keys'], 'hash'>
    readonly streams: Streams
    readonly limitKey: KeyLimiter
    readonly readHealth: () => Health
  }
}

export type OpenCallerStreams = (exchange: HttpExchange, caller: Caller) => CallerStreams

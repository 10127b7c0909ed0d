import type { Health } from '../health/toHealth.ts'
import type { SharedReads } from './createSharedReads.ts'
import type { StreamItem } from './createStreams.ts'
import type { TopicWatch } from './TopicWatch.ts'

/** The streams of the caller of a request. */
export type CallerStreams = SharedReads & {
  /** Opens a stream, until its signal aborts it. @throws `svc/rate-limited` if the key has as many as it may have */
  open(watches: readonly TopicWatch[], signal: AbortSignal): Promise<AsyncGenerator<StreamItem, void, void>>
  /** Counts the event of a quote toward the quota of the key, not toward its rate. @throws `svc/quota-exceeded` */
  chargeQuote(): Promise<void>
  /** Returns the body of `/health`, from memory. */
  readHealth(): Health
}

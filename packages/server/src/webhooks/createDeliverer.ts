import type { AttemptResult, ClaimedDelivery, FinishedAttempt, WebhookStore } from '@agio/store'
import type { Sender, SendResult } from './createSender.ts'
import { repeat } from './repeat.ts'

const maxInFlight = 64
const intervalMs = 500
// Time for requests in flight when the service stops.
const defaultGraceMs = 2000

/**
 * Creates a worker that claims due deliveries by leases, sends them and records each outcome. The leases of a killed
 * process expire.
 */
export function createDeliverer({ queue, hasEnabled, send, retryMs, timeoutMs, onFinished, onError }: Dependencies) {
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()
  // Twice the time of an attempt: another process takes over a delivery only when this process no longer sends it.
  const leaseMs = 2 * timeoutMs + 5000

  async function deliver(delivery: ClaimedDelivery, claimedAtMs: number): Promise<void> {
    // After a pause of the process, the rest of the lease may be too short.
    const isLate = performance.now() - claimedAtMs > leaseMs - timeoutMs
    const { unreadable } = delivery
    if (unreadable) onError(unreadable)
    const result: SendResult = isLate
      ? { outcome: 'aborted' }
      : unreadable
        ? { outcome: 'failed', error: 'secret' }
        : await send(delivery, stopping.signal)
    if (result.outcome === 'aborted') return await queue.release(delivery)
    const attempt = toAttempt(result, delivery, retryMs)
    onFinished(await queue.finish(delivery, attempt), { delivery, attempt })
  }
  function start(delivery: ClaimedDelivery, claimedAtMs: number): void {
    const delivering = deliver(delivery, claimedAtMs)
      .catch(onError)
      .finally(() => {
        inFlight.delete(delivering)
        loop.wake()
      })
    inFlight.add(delivering)
  }
  const loop = repeat(
    async () => {
      if (!hasEnabled()) return
      const limit = maxInFlight - inFlight.size
      const claimedAtMs = performance.now()
      if (limit > 0) for (const delivery of await queue.claim({ limit, leaseMs })) start(delivery, claimedAtMs)
    },
    { intervalMs, onError },
  )
  return {
    /**
     * Stops claiming, and ends or aborts the requests in flight. Another process sends aborted deliveries again.
     *
     * @param options.graceMs how long requests in flight may take; two seconds by default
     */
    async stop({ graceMs = defaultGraceMs }: { readonly graceMs?: number } = {}): Promise<void> {
      await loop.stop()
      const timer = setTimeout(() => stopping.abort(), graceMs)
      await Promise.all(inFlight)
      clearTimeout(timer)
    },
  }
}

type Dependencies = {
  readonly queue: WebhookStore['deliveries']
  /** Whether any webhook is enabled. */
  readonly hasEnabled: () => boolean
  readonly send: Sender
  /** The delay after each failed attempt. No attempt follows the last delay. */
  readonly retryMs: readonly number[]
  /** How long an attempt may take. */
  readonly timeoutMs: number
  readonly onFinished: (
    finished: FinishedAttempt,
    about: { readonly delivery: ClaimedDelivery; readonly attempt: AttemptResult },
  ) => void
  readonly onError: (error: unknown) => void
}

function toAttempt(
  result: Exclude<SendResult, { outcome: 'aborted' }>,
  { attempts }: ClaimedDelivery,
  retryMs: readonly number[],
): AttemptResult {
  if (result.outcome !== 'failed') return { outcome: result.outcome, status: result.status }
  const delayMs = retryMs[attempts]
  // Up to a tenth later, so that deliveries that failed together are not retried together.
  const retryInMs = delayMs === undefined ? undefined : Math.round(delayMs * (1 + Math.random() / 10))
  return { ...result, outcome: 'failed', retryInMs }
}

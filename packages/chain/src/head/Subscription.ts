import type { Head } from './Head.ts'

/** An open subscription to a node's new blocks. */
export type Subscription = {
  /** Reads the newest block from the node that sends the notices. */
  readonly read: () => Promise<Head>
  /** Resolves when no more notices can arrive. */
  readonly ended: Promise<void>
  readonly stop: () => void
}

/**
 * Subscribes to new blocks. The listener receives each notified block, or undefined for a notice that is not a block.
 */
export type Subscribe = (onNotice: (head: Head | undefined) => void) => Promise<Subscription>

const firstRetryMs = 500
const maxRetryMs = 10_000

/**
 * Keeps a subscription open until the returned function is called. When it ends or cannot be opened, opens it again after
 * 0.5 s. Each further delay is twice the previous delay, up to 10 s.
 */
export function withResubscribe(open: () => Promise<Subscription>, { onStart, onEnd }: withResubscribe.Events) {
  let retryMs = firstRetryMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: Subscription | undefined
  let stopped = false

  async function run(): Promise<void> {
    current = await open().catch(() => undefined)
    if (stopped) return current?.stop()
    if (current) await follow(current)
    current = undefined
    if (stopped) return
    timer = setTimeout(() => void run(), retryMs)
    retryMs = Math.min(retryMs * 2, maxRetryMs)
  }
  async function follow(subscription: Subscription): Promise<void> {
    try {
      await onStart(subscription)
      retryMs = firstRetryMs
      await subscription.ended
    } catch {
      subscription.stop()
    }
    onEnd(subscription)
  }
  void run()

  return () => {
    stopped = true
    clearTimeout(timer)
    current?.stop()
  }
}

export declare namespace withResubscribe {
  type Events = {
    /** Called with each open subscription; a rejection ends that subscription. */
    readonly onStart: (subscription: Subscription) => Promise<unknown>
    readonly onEnd: (subscription: Subscription) => void
  }
}

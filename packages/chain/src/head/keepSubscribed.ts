import type { Subscription } from './Subscription.ts'

const firstRetryMs = 500
const lastRetryMs = 10_000

/**
 * Keeps a subscription open: when one ends or cannot be had, tries again, after half a second at first and ten at last.
 *
 * @returns a function that stops it
 */
export function keepSubscribed(open: () => Promise<Subscription>, { onStart, onEnd }: keepSubscribed.Events) {
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
    retryMs = Math.min(retryMs * 2, lastRetryMs)
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

export declare namespace keepSubscribed {
  type Events = {
    /** A subscription is open. Rejects if it is of no use. */
    readonly onStart: (subscription: Subscription) => Promise<unknown>
    readonly onEnd: (subscription: Subscription) => void
  }
}

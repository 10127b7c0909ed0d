import { Async, type ServiceError } from '@agio/core'

/** Creates the notifier of a stream, which wakes and ends it. */
export function createStreamNotifier() {
  const { wait, notify } = Async.createNotifier()
  let end: StreamEnd | undefined
  let isNotified = false
  function notifyStream(): void {
    isNotified = true
    notify()
  }
  return {
    /** How the stream ends, once it does. */
    ended: () => end,
    /** Ends the stream, unless it has ended. */
    end(how: StreamEnd): void {
      end ??= how
      notifyStream()
    },
    /** Notifies the stream that something may have changed. */
    notify: notifyStream,
    /** Resolves once something may have changed since the last call. */
    async wait(): Promise<void> {
      if (!isNotified) await wait()
      isNotified = false
    },
  }
}

/** Wakes a stream and ends it. */
export type StreamNotifier = ReturnType<typeof createStreamNotifier>

/** How a stream ends. */
export type StreamEnd =
  /** The process stops. The client can continue at another process. */
  | { readonly reason: 'stopping' }
  /** A local stack returned to a snapshot. The client can reconnect and read the restored state. */
  | { readonly reason: 'restored' }
  /** The key is no longer valid. */
  | { readonly reason: 'refused'; readonly refusal: ServiceError }
  /** The client has gone. */
  | { readonly reason: 'gone' }

/** The reasons why streams end. */
export const streamEnds = ['gone', 'refused', 'stopping', 'restored'] as const satisfies readonly StreamEnd['reason'][]

import type { StreamEnd } from './StreamEvent.ts'

/** Creates what wakes and ends a stream. */
export function createStreamSignal(): StreamSignal {
  let end: StreamEnd | undefined
  let isNotified = false
  let resolve: (() => void) | undefined
  function notify(): void {
    isNotified = true
    resolve?.()
  }
  return {
    ended: () => end,
    end(how) {
      end ??= how
      notify()
    },
    notify,
    async wait() {
      if (!isNotified) await new Promise<void>((settle) => (resolve = settle))
      isNotified = false
      resolve = undefined
    },
  }
}

export type StreamSignal = {
  /** How the stream ends, once it does. */
  ended(): StreamEnd | undefined
  /** Ends the stream, unless it has ended. */
  end(how: StreamEnd): void
  /** Says that something may have changed. */
  notify(): void
  /** Resolves once something may have changed since the last call. */
  wait(): Promise<void>
}

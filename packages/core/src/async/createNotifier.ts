/** Creates a notifier that any number of callers can wait for. */
export function createNotifier(): Notifier {
  let next = Promise.withResolvers<void>()
  return {
    wait: () => next.promise,
    notify() {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
  }
}

export type Notifier = {
  /** Resolves at the next notification. */
  wait(): Promise<void>
  /** Resolves every pending `wait`. */
  notify(): void
}

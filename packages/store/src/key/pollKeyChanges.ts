import type { Keys } from './createKeys.ts'

const intervalMs = 1000

/**
 * Learns every second of the keys that other processes have changed, so that a revocation reaches all of them within two,
 * and with it whether the database can be reached.
 */
export function pollKeyChanges(keys: Keys, onState: (error: unknown) => void): { stop(): Promise<void> } {
  let since: string | undefined
  let looking: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  async function look(): Promise<void> {
    try {
      since = await keys.forgetChanged(since)
      onState(undefined)
    } catch (error) {
      onState(error)
    }
    if (timer !== undefined) lookIn(intervalMs)
  }
  function lookIn(delayMs: number): void {
    timer = setTimeout(() => (looking = look()), delayMs)
  }
  lookIn(0)
  return {
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await looking
    },
  }
}

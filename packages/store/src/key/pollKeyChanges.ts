import type { Keys } from './createKeys.ts'

const intervalMs = 1000

/**
 * Polls the database every second for keys that other processes have changed, so that a revocation reaches every process
 * within two seconds.
 *
 * @param onPoll receives the error of each poll, or undefined if it succeeded
 */
export function pollKeyChanges(
  keys: Pick<Keys, 'evictChanged'>,
  onPoll: (error: unknown) => void,
): { stop(): Promise<void> } {
  let since: string | undefined
  let polling: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  async function poll(): Promise<void> {
    try {
      since = await keys.evictChanged(since)
      onPoll(undefined)
    } catch (error) {
      onPoll(error)
    }
    if (timer !== undefined) schedulePoll(intervalMs)
  }
  function schedulePoll(delayMs: number): void {
    timer = setTimeout(() => (polling = poll()), delayMs)
  }
  schedulePoll(0)
  return {
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await polling
    },
  }
}

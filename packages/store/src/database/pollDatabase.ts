const intervalMs = 1000

/**
 * Polls the database every second for changes by other processes. So every process refuses a revoked key within two
 * seconds.
 *
 * @param readChanges reads the changes since a cursor, and returns the next cursor. The first cursor is undefined
 * @param onPoll receives the error of each poll, or undefined if the poll succeeded
 */
export function pollDatabase(
  readChanges: (since: string | undefined) => Promise<string>,
  onPoll: (error: unknown) => void,
): { stop(): Promise<void> } {
  let since: string | undefined
  let polling: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  async function poll(): Promise<void> {
    try {
      since = await readChanges(since)
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

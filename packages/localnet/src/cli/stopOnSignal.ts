/** Lets SIGINT and SIGTERM end the process once `stop` is done, and a second one end it at once. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let askedAt: number | undefined
  const onSignal = () => {
    if (askedAt === undefined) {
      askedAt = Date.now()
      console.log('Stopping')
      void endAfter(stop())
    } else if (Date.now() - askedAt > 1000) {
      // Sooner than that, it is the same Ctrl-C again: it comes from the terminal, and from pnpm.
      process.exit(130)
    }
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
}

async function endAfter(stopped: Promise<void>): Promise<void> {
  try {
    await stopped
    process.exit(0)
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}

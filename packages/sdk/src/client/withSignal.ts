/**
 * Runs a call with a signal of its own that follows another. It rejects with the reason of the other as soon as that is aborted,
 * even if the call does not, and leaves no listener behind: one signal may outlive thousands of calls.
 */
export async function withSignal<Result>(
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController()
  if (!signal) return await call(own.signal)
  signal.throwIfAborted()
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      own.abort(signal.reason)
      reject(signal.reason)
    }
  })
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([call(own.signal), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

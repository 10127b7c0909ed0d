/**
 * Runs a call, and rejects as soon as the signal is aborted, even if the call continues. The call gets a signal of its
 * own, so that no listeners remain on a signal that outlives thousands of calls.
 *
 * @param toError returns the error to reject with. Default: the reason of the signal
 */
export async function withSignal<Result>(
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<Result>,
  toError: ToError = toReason,
): Promise<Result> {
  const controller = new AbortController()
  if (!signal) return await call(controller.signal)
  if (signal.aborted) throw toError(signal)
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      controller.abort(signal.reason)
      reject(toError(signal))
    }
  })
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([call(controller.signal), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Resolves after a delay. @throws the reason of the signal, or the result of `toError`, once the signal is aborted */
export async function wait(delayMs: number, signal: AbortSignal | undefined, toError?: ToError): Promise<void> {
  const sleep = (innerSignal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs)
      innerSignal.addEventListener('abort', () => clearTimeout(timer))
    })
  await withSignal(signal, sleep, toError)
}

type ToError = (signal: AbortSignal) => unknown

function toReason({ reason }: AbortSignal): unknown {
  return reason
}

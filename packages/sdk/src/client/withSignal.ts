/**
 * Runs a call, and rejects as soon as the signal is aborted or a limit of the call has passed, even if the call continues.
 * The call gets a signal of its own, so that no listeners remain on a signal that outlives thousands of calls. It is aborted
 * at the end, too: an unread connection would stay open.
 *
 * @param toError returns the error to reject with. Default: the reason of the signal
 */
export async function withSignal<Result>(
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal, limit: Limit) => Promise<Result>,
  toError: ToError = toReason,
): Promise<Result> {
  if (signal?.aborted) throw toError(signal)
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop: (error: unknown) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = (error) => {
      controller.abort(error)
      reject(error)
    }
  })
  const abort = () => stop(toError(signal as AbortSignal))
  signal?.addEventListener('abort', abort, { once: true })
  const limit: Limit = (ms) => {
    clearTimeout(timer)
    timer = setTimeout(() => stop(new Error('It took too long')), ms)
  }
  try {
    return await Promise.race([call(controller.signal, limit), stopped])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    controller.abort()
  }
}

/** Ends the call unless it ends, or sets another limit, within a number of milliseconds. */
export type Limit = (ms: number) => void

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

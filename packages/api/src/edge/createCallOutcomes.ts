import { toErrorBody } from '../errors/toErrorBody.ts'

/**
 * Collects the outcomes of the calls of a request that tRPC itself answers. tRPC reports only the failed calls, with their path
 * and their input.
 *
 * @param inputs the input of each call by its index
 */
export function createCallOutcomes(operations: readonly string[], inputs: Readonly<Record<number, unknown>> = {}) {
  const failures: Failure[] = []
  function takeFailure(operation: string, input: unknown): Failure | undefined {
    const text = toText(input)
    const index = failures.findIndex(
      (failure) => failure.path === operation && (failure.input === undefined || toText(failure.input) === text),
    )
    return index < 0 ? undefined : failures.splice(index, 1)[0]
  }
  return {
    addFailure: (failure: Failure) => void failures.push(failure),
    /** Returns the outcome of each call, once all calls have ended. */
    list: () =>
      operations.map((operation, index) => {
        const input = inputs[index]
        const failure = takeFailure(operation, input)
        if (!failure) return { operation, input, status: 200 }
        const { error } = failure
        return { operation, input, error, status: toErrorBody(error, input).status }
      }),
  }
}

/** Returns an input as JSON. Returns undefined if it is nested too deeply, so that all such inputs are equal. */
function toText(input: unknown): string | undefined {
  try {
    return JSON.stringify(input)
  } catch {
    return undefined
  }
}

type Failure = { readonly path?: string | undefined; readonly input: unknown; readonly error: unknown }

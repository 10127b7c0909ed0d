import type { AgioError } from '../errors/AgioError.ts'
import type { StepError } from './Step.ts'

/** Returns an error as plain JSON. */
export function toStepError(error: AgioError): StepError {
  const { code, message, details, retryable, action, requestId, status } = error
  const fields = { code, message, details: toPlain(details), retryable, action }
  return {
    ...fields,
    ...(requestId !== undefined && { requestId }),
    ...(status !== undefined && { status }),
  } as StepError
}

function toPlain(details: object): unknown {
  return JSON.parse(JSON.stringify(details))
}

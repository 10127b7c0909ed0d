import { explainError as explainAgioError, type Explanation } from '@agio/sdk/messages'
import type { Failure } from './toFailure.ts'

/** Explains an error by its code and its details, as the SDK does, or an error that only this page has. */
export function explainError(failure: Failure): Explanation {
  const { code, action, requestId } = failure
  // The page sends no request without a key, so the service has rejected its key.
  const isKeyRejected = code === 'svc/unauthorized' && requestId !== undefined && action !== 'resume'
  return (isKeyRejected ? unknownKey : explanations[code]) ?? explainAgioError(failure)
}

/** Returns the title of an error by its code. */
export function toErrorTitle(code: string): string {
  return explainError({ code, message: '', details: {} }).title
}

const unknownKey: Explanation = {
  title: 'The service does not know this API key',
  next: 'Check the key or enter another one.',
  tone: 'danger',
}

const explanations: Readonly<Record<string, Explanation>> = {
  'console/storage-refused': {
    title: 'This browser cannot store the conversion',
    next: 'Its storage is full or blocked. The wallet was not asked again, because the conversion could not be resumed after a reload.',
    tone: 'danger',
  },
}

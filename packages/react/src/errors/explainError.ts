import { explainError as explainAgioError, type Explanation } from '@agio/sdk/messages'
import { toFailure, type Failure } from './toFailure.ts'

/**
 * Explains an error to users by its code and its details, as the SDK does, and errors that only a page has. Any other thrown
 * value is explained by its message.
 *
 * @param error an `AgioError`, the error of a step, or any thrown value
 *
 * @param texts explanations by code, which replace the explanations of the package
 *
 * @example
 * const { title, next } = explainError(error, { 'svc/no-route': { title: 'Kein Pool', next: '…', tone: 'danger' } })
 */
export function explainError(error: unknown, texts: ErrorTexts = {}): Explanation {
  const failure = toFailure(error)
  const { code, action, requestId } = failure
  const own = texts[code]
  if (own) return typeof own === 'function' ? own(failure) : own
  // The page sends no request without a key, so the service has rejected its key.
  const isKeyRejected = code === 'svc/unauthorized' && requestId !== undefined && action !== 'resume'
  return (isKeyRejected ? unknownKey : explanations[code]) ?? explainAgioError(failure)
}

/** Explanations by code, each also as a function of the error. */
export type ErrorTexts = Readonly<Record<string, Explanation | ((failure: Failure) => Explanation)>>

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
  'page/storage-refused': {
    title: 'This browser cannot store the conversion',
    next: 'Its storage is full or blocked. The wallet was not asked again, because the conversion could not be resumed after a reload.',
    tone: 'danger',
  },
}

import { ServiceError } from '@agio/core'

/** Returns the error of a request that is not valid HTTP. */
export function unreadable(reason: string): ServiceError {
  const details = { field: 'request', value: undefined }
  return new ServiceError('svc/invalid-request', `Cannot read the request: ${reason}`, details)
}

/** Returns the error of a header `Expect` that the service cannot meet. */
export function unmetExpectation(expect: string): ServiceError {
  const message = `Cannot meet the expectation "${expect.slice(0, 100)}": only 100-continue is supported`
  return new ServiceError('svc/expectation-failed', message, {})
}

/** Returns the error of CONNECT. */
export function notAProxy(): ServiceError {
  return new ServiceError('svc/method-not-allowed', 'Cannot open a tunnel: the service is not a proxy', {})
}

/** Returns the error of a request whose end has not arrived. */
export function timedOut(): ServiceError {
  return new ServiceError('svc/request-timeout', 'Cannot read the request: it did not arrive in time', {})
}

/** Returns the error of a request whose URL and headers exceed the limit of the runtime. */
export function headersTooLarge(): ServiceError {
  return new ServiceError('svc/headers-too-large', 'Cannot read the request: its URL and headers are too large', {})
}

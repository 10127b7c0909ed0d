/**
 * Requests a path that is not a procedure of the service. Returns its JSON for any HTTP status.
 *
 * @throws `RequestError`, with `network/unreachable`, or `network/invalid-response` if the response is not JSON
 */
export async function requestJson(path: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(path, init).catch((cause: unknown) => {
    throw createRequestError({
      code: 'network/unreachable',
      message: `Cannot reach ${path}: no response arrived`,
      cause,
    })
  })
  try {
    return await response.json()
  } catch (cause) {
    const message = `Cannot read the response of ${path}: it is not JSON, and has status ${response.status}`
    throw createRequestError({ code: 'network/invalid-response', message, cause })
  }
}

/** An error with the fields that a notice shows. */
export type RequestError = Error & { readonly code: string; readonly requestId?: string | undefined }

/** Creates the error of a request. */
export function createRequestError({ code, message, requestId, cause }: RequestErrorFields): RequestError {
  return Object.assign(new Error(message, { cause }), { code, requestId })
}

type RequestErrorFields = Pick<RequestError, 'code' | 'message' | 'requestId'> & { readonly cause?: unknown }

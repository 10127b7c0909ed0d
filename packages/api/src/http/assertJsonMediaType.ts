import { ServiceError } from '@agio/core'

const json = 'application/json'

/** @throws `svc/unsupported-media-type` unless the body is declared as plain `application/json`, with or without a charset */
export function assertJsonMediaType(headers: Headers): void {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') {
    const message = `Cannot read the body: its encoding "${encoding.slice(0, 100)}" is not supported`
    throw new ServiceError('svc/unsupported-media-type', message, {})
  }
  const declared = headers.get('content-type')
  if (declared === json || declared?.split(';', 1)[0]?.trim().toLowerCase() === json) return
  const found = declared === null ? 'it is not declared' : `it is declared as "${declared.slice(0, 100)}"`
  throw new ServiceError('svc/unsupported-media-type', `Cannot read the body: ${found}, and must be ${json}`, {})
}

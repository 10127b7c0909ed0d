import { ServiceError } from '@agio/core'

/** The largest request body, in bytes. */
const maxBodyBytes = 100_000

/**
 * Reads a request's body, and no more of it than is allowed.
 *
 * @throws `svc/payload-too-large`; `svc/invalid-request` if the bytes are not UTF-8
 */
export async function readBody(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge()
  if (!request.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) throw tooLarge()
    text += decode(decoder, chunk)
  }
  return text + decode(decoder)
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
  } catch (cause) {
    throw new ServiceError('svc/invalid-request', 'Cannot read the body: it is not UTF-8', {
      field: 'body',
      value: undefined,
      cause,
    })
  }
}

function tooLarge(): ServiceError {
  return new ServiceError('svc/payload-too-large', `Cannot read the body: it is larger than ${maxBodyBytes} bytes`, {})
}

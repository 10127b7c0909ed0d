import { ServiceError } from '@agio/core'

/** The largest request body, in bytes. */
const maxBodyBytes = 100_000

/**
 * Reads a request's body, and no more of it than is allowed.
 *
 * @throws `svc/payload-too-large`; `svc/invalid-request` if the bytes are not UTF-8
 */
export async function readBody(request: Request): Promise<string> {
  const length = request.headers.get('content-length')
  if (length === null) return await readStream(request.body)
  if (Number(length) > maxBodyBytes) throw tooLarge()
  // A body of a known length is read at once, which costs a fraction of its stream.
  const text = await request.text()
  // What is no UTF-8 is replaced by this character on the way, and nobody means to send it.
  if (text.includes('\uFFFD')) throw notUtf8()
  return text
}

async function readStream(stream: Request['body']): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (stream ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return decode(Buffer.concat(chunks))
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw notUtf8()
  }
}

function notUtf8(): ServiceError {
  const details = { field: 'body', value: undefined }
  return new ServiceError('svc/invalid-request', 'Cannot read the body: it is not UTF-8', details)
}

function tooLarge(): ServiceError {
  return new ServiceError('svc/payload-too-large', `Cannot read the body: it is larger than ${maxBodyBytes} bytes`, {})
}

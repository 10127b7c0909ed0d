import { ServiceError } from '@agio/core'

/** The largest request body, in bytes. */
const maxBodyBytes = 100_000

/**
 * Reads a request's body, and no more of it than is allowed.
 *
 * @throws `svc/payload-too-large`; `svc/invalid-request` if the bytes are not UTF-8, or if they break off
 */
export async function readBody(request: Request): Promise<string> {
  const length = request.headers.get('content-length')
  if (length === null) return await readStream(request.body)
  if (Number(length) > maxBodyBytes) throw tooLarge()
  // A body of a known length is read at once, which costs a fraction of its stream.
  const text = await request.text().catch(throwBrokenOff)
  // What is no UTF-8 is replaced by this character on the way, and nobody means to send it.
  if (text.includes('\uFFFD')) throw notUtf8()
  return text
}

async function readStream(stream: Request['body']): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of (stream ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      if (bytes > maxBodyBytes) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throwBrokenOff(error)
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

// The client's doing, and no failure of the service: nobody is left to read of it but the log.
function throwBrokenOff(cause: unknown): never {
  const details = { field: 'body', value: undefined, cause }
  throw new ServiceError('svc/invalid-request', 'Cannot read the body: it breaks off', details)
}

function tooLarge(): ServiceError {
  return new ServiceError('svc/payload-too-large', `Cannot read the body: it is larger than ${maxBodyBytes} bytes`, {})
}

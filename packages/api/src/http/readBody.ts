import { Async, Errors, ServiceError } from '@agio/core'
import type { HttpHeaders, HttpRequest } from './HttpExchange.ts'

/** The largest body of a request. */
export const maxBodyBytes = 100_000
const json = 'application/json'
const tooSlow = () => Errors.requestTimeout({ part: 'body' })

/**
 * Reads a request body of at most 100,000 bytes as text.
 *
 * @param timeoutMs how long the client may take to send it
 * @throws `svc/payload-too-large`, `svc/request-timeout`; `svc/invalid-request` if the bytes are not UTF-8 or end too early
 */
export function readBody(request: HttpRequest, timeoutMs: number): string | Promise<string> {
  const length = request.headers.get('content-length')
  if (length === null) return Async.withTimeLimit(timeoutMs, readStream(request.body), tooSlow)
  if (Number(length) > maxBodyBytes) throw tooLarge()
  // Reading a body of known length at once costs a fraction of reading its stream.
  const text = request.text()
  return typeof text === 'string'
    ? assertUtf8(text)
    : Async.withTimeLimit(timeoutMs, text.catch(throwTruncated), tooSlow).then(assertUtf8)
}

/**
 * Reads a request body as a JSON object. An empty body is an empty object, as clients send it for no fields.
 *
 * @param timeoutMs how long the client may take to send it
 * @throws `svc/unsupported-media-type`, `svc/payload-too-large`, `svc/request-timeout`; `svc/invalid-request` if the
 * body is not a JSON object
 */
export function readJsonObject(request: HttpRequest, timeoutMs: number): JsonObject | Promise<JsonObject> {
  assertJsonMediaType(request.headers)
  const text = readBody(request, timeoutMs)
  return typeof text === 'string' ? parseFields(text) : text.then(parseFields)
}

function parseFields(text: string): JsonObject {
  return text === '' ? {} : parseJsonObject(text)
}

type JsonObject = Readonly<Record<string, unknown>>

/**
 * @throws `svc/unsupported-media-type` unless the body is declared as plain `application/json`, in UTF-8 if it names a charset
 */
export function assertJsonMediaType(headers: HttpHeaders): void {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') {
    const reason = `its encoding "${encoding.slice(0, 100)}" is not supported`
    throw Errors.unsupportedMediaType({ reason })
  }
  const declared = headers.get('content-type')
  if (declared === json) return
  const [type, ...parameters] = declared?.split(';').map((part) => part.trim().toLowerCase()) ?? []
  if (type === json && parameters.every(isUtf8)) return
  const found = declared === null ? 'the header Content-Type is missing' : `its type is "${declared.slice(0, 100)}"`
  throw Errors.unsupportedMediaType({ reason: `${found}, expected ${json} in UTF-8` })
}

/** Returns whether a parameter of a media type, in lower case, is not a charset or is the charset UTF-8. */
function isUtf8(parameter: string): boolean {
  const [, charset] = /^charset\s*=\s*"?(.*?)"?$/.exec(parameter) ?? []
  return charset === undefined || charset === 'utf-8' || charset === 'utf8'
}

/** Parses a JSON object. @throws `svc/invalid-request` if the text is not a JSON object or repeats a field */
export function parseJsonObject(text: string): JsonObject {
  const value = parseJson(text)
  assertUniqueFields(text, value)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw Errors.unreadableRequest({ reason: 'it is not a JSON object' })
}

/**
 * Asserts that no object of a JSON text has a field twice: `JSON.parse` keeps only the last one.
 *
 * @param value the parsed text
 * @param field the query parameter with the text. Default: the body
 * @throws `svc/invalid-request`
 */
export function assertUniqueFields(text: string, value: unknown, field?: string): void {
  if (countFields(value) === countFieldNames(text)) return
  const reason = 'it has a field twice'
  throw field === undefined ? Errors.unreadableRequest({ reason }) : Errors.invalidRequest({ field, reason })
}

/** Counts the fields of a value and of all values in it. It does not recurse, because a body may be nested deeply. */
function countFields(root: unknown): number {
  let fields = 0
  const open = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const values: unknown[] = Object.values(value)
    if (!Array.isArray(value)) fields += values.length
    for (const each of values) open.push(each)
  }
  return fields
}

/** Counts the strings of valid JSON that a colon follows. */
function countFieldNames(text: string): number {
  let names = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)) if (colon) names += 1
  return names
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw Errors.unreadableRequest({ reason: 'it is not valid JSON' })
  }
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
    throwTruncated(error)
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

// The decoder replaces malformed bytes by this character. No valid request contains it.
function assertUtf8(text: string): string {
  if (text.includes('\uFFFD')) throw notUtf8()
  return text
}

function notUtf8(): ServiceError {
  return Errors.unreadableRequest({ reason: 'it is not UTF-8' })
}

// The client closed the connection: an error of the request, not of the service.
function throwTruncated(cause: unknown): never {
  throw Errors.unreadableRequest({ reason: 'it is truncated', cause })
}

function tooLarge(): ServiceError {
  return Errors.payloadTooLarge({ reason: `it is larger than ${maxBodyBytes} bytes` })
}

import type { Load } from '../Load.ts'

/** The bytes of a request on the wire. */
export function writeRequest({ host }: URL, { method, path, headers, body = '' }: Load[number]): Buffer {
  const sent = { host, ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

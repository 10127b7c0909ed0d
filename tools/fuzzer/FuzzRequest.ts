import type { ValidCall } from './createValidCalls.ts'

export type { ReceivedResponse as FuzzResponse } from '../../test/edge/parseResponses.ts'

/** A request as sent on the wire: nothing is escaped or normalised. */
export type FuzzRequest = {
  /** The mutated part of a request, or `valid`. */
  readonly kind: string
  readonly method: string
  /** The target of the request line. */
  readonly target: string
  readonly headers: Headers
  readonly body?: Buffer | undefined
  /** The call of a `valid` request. */
  readonly call?: ValidCall | undefined
}

/** Names and values, in order. A name may be repeated. */
export type Headers = readonly (readonly [name: string, value: string])[]

/** Bytes to write to a connection, which may not be a valid request. */
export type WireRequest = {
  readonly kind: 'wire'
  readonly bytes: Buffer
  /** The action of the client after writing: wait for the response, half-close, or reset the connection. */
  readonly ending: 'wait' | 'end' | 'break'
}

/** Returns the bytes of a request, with `Host` and `Content-Length` unless it has its own. */
export function encodeRequest({ method, target, headers, body }: Omit<FuzzRequest, 'kind'>): Buffer {
  const own = new Set(headers.map(([name]) => name.toLowerCase()))
  const all = [...headers]
  if (!own.has('host')) all.push(['Host', 'service.localhost'])
  if (body && !own.has('content-length') && !own.has('transfer-encoding')) {
    all.push(['Content-Length', String(body.length)])
  }
  const lines = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)])
}

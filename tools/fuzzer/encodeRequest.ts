import type { FuzzRequest } from './FuzzRequest.ts'

/** The bytes of a request, with `Host` and `Content-Length` unless it has its own. */
export function encodeRequest({ method, target, headers, body }: Omit<FuzzRequest, 'kind'>): Buffer {
  const own = new Set(headers.map(([name]) => name.toLowerCase()))
  const all = [...headers]
  if (!own.has('host')) all.push(['Host', 'fuzz.example'])
  if (body && !own.has('content-length') && !own.has('transfer-encoding')) {
    all.push(['Content-Length', String(body.length)])
  }
  const lines = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)])
}

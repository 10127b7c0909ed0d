import fc from 'fast-check'
import { writeCall, writeInput, type ValidCall } from './createValidCalls.ts'
import { encodeRequest, type Headers, type WireRequest } from './FuzzRequest.ts'

const garbage = ['\r\n\r\n', 'garbage\r\n\r\n', '\0\0\0\0', 'GET / HTTP/9.9\r\n\r\n', 'POST', '\u0016\u0003\u0001']
const lengths = ['0', '-1', '+5', '5, 5', 'abc', '1e3', '0x10', '', '9'.repeat(20), '5\r\nContent-Length: 6']
const almostChunked = ['chunked, chunked', 'Chunked', 'chunked ', 'xchunked', 'chunked\r\nContent-Length: 5']
const codings = [...almostChunked, 'gzip, chunked', 'identity']
const ports = ['[::1]:80', 'host:99999', '127.0.0.1:80:80']
const hosts = [...ports, '', ' ', 'a b', 'user:secret@host', '[::1', 'a/b', 'a?b', 'é', '%00', 'HOST']

const versions = ['', ' HTTP/0.9', ' HTTP/1.0', ' HTTP/2.0', ' HTTP/11'].map((version) => `GET /health${version}`)
const credentials = [
  'https://user:secret@other.example/trpc/pools.list',
  'http://user:secret@other.example/api/v1/pools',
]
const otherHosts = ['http://other.example/health', '//other.example/health', 'http://a.example', 'http://a.example?b']
const oddTargets = ['health', 'ftp://a/health', 'http://', 'http://[::1/health', '*', '/\u0000', '/\u00e9', '/a b']
const targets = [...credentials, ...otherHosts, ...oddTargets].map((target) => `GET ${target} HTTP/1.1`)
const spaces = ['GET', 'GET\t/health\tHTTP/1.1', ' GET /health HTTP/1.1', '/health HTTP/1.1', 'get /health HTTP/1.1']
const methods = [
  'OPTIONS * HTTP/1.1',
  'CONNECT a.example:443 HTTP/1.1',
  'PRI * HTTP/2.0',
  'TRACE /trpc/pools.list HTTP/1.1',
]
const firstLines = [...versions, ...targets, ...spaces, ...methods]

const controls = ['a\u0000: b', 'a: b\u0000', 'a: b\rc: d', '\u00e9: b']
const badLines = [...controls, 'no colon', 'a : b', ': b', ' folded: b', `x: ${'y'.repeat(20_000)}`]
const badSizes = ['zz\r\n', '-1\r\n', 'FFFFFFFFFFFFFFFFF\r\n', '5\r\nabcdefgh\r\n0\r\n\r\n', '5\n{"a":\n0\n\n']
const trailers = ['0\r\nTrailer: x\r\n\r\n', '0\r\n__proto__: x\r\n\r\n', `1;${'x'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`]
const parts = ['0\r\n\r\n', '5\r\nabcde\r\n', '3\r\n{"a\r\n', '5;a=b\r\n[1,2]\r\n0\r\n\r\n']
const chunks = [...badSizes, ...trailers, ...parts]

type Change = (head: string, body: Buffer) => Buffer

/** Bytes of an invalid request, of an incomplete one, or of several. */
export function arbitraryWire(validCalls: readonly ValidCall[], headers: Headers): fc.Arbitrary<WireRequest> {
  const whole: Change = (head, body) => Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body])
  const withHead =
    (change: (head: string) => string): Change =>
    (head, body) =>
      whole(change(head), body)
  const addLine = (line: string) => withHead((head) => `${head}\r\n${line}`)
  const setLength = (value: string) =>
    withHead((head) => `${head.replace(/\r\nContent-Length: \d+/, '')}\r\nContent-Length: ${value}`)
  const chunked =
    (text: string): Change =>
    (head) => {
      const bare = head.replace(/\r\nContent-Length: \d+/, '')
      return Buffer.from(`${bare}\r\nTransfer-Encoding: chunked\r\n\r\n${text}`)
    }
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.constant(whole),
    fc.double({ min: 0, max: 1, noNaN: true }).map((part): Change => (head, body) => {
      const bytes = whole(head, body)
      return bytes.subarray(0, Math.floor(bytes.length * part))
    }),
    fc.constantFrom(...garbage).map(
      (text): Change =>
        (head, body) =>
          Buffer.concat([whole(head, body), Buffer.from(text)]),
    ),
    fc.integer({ min: 2, max: 20 }).map(
      (times): Change =>
        (head, body) =>
          Buffer.concat(Array.from({ length: times }, () => whole(head, body))),
    ),
    fc.constantFrom(...lengths).map(setLength),
    fc.constantFrom(...codings).map((coding) => addLine(`Transfer-Encoding: ${coding}`)),
    fc.constantFrom(...hosts).map((host) => withHead((head) => head.replace(/\r\nHost: [^\r]*/, `\r\nHost: ${host}`))),
    fc.constant(withHead((head) => head.replace(/\r\nHost: [^\r]*/, ''))),
    fc.constant(addLine('Host: twice')),
    fc.constantFrom(...firstLines).map((line) => withHead((head) => head.replace(/^[^\r]*/, line))),
    fc.constantFrom(...badLines).map(addLine),
    fc.constant(withHead((head) => head.replaceAll('\r\n', '\n'))),
    fc.constant(withHead((head) => `\r\n\r\n${head}`)),
    fc
      .constantFrom(
        'Expect: 100-continue',
        'Expect: 200-ok',
        'Upgrade: websocket\r\nConnection: Upgrade',
        'Upgrade: h2c',
      )
      .map(addLine),
    fc.array(fc.constantFrom(...chunks), { minLength: 1, maxLength: 3 }).map((parts) => chunked(parts.join(''))),
    fc
      .integer({ min: 1, max: 400 })
      .map((count) => chunked(`${`100\r\n${'x'.repeat(256)}\r\n`.repeat(count)}0\r\n\r\n`)),
    fc
      .integer({ min: 390, max: 1500 })
      .map((count) => chunked(`${`100\r\n${' '.repeat(256)}\r\n`.repeat(count)}0\r\n\r\n`)),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => () => Buffer.from(bytes)),
  )
  const ending = fc.constantFrom<WireRequest['ending']>('end', 'end', 'end', 'break')
  return fc.tuple(fc.constantFrom(...validCalls), change, ending).map(([validCall, apply, ending]) => {
    const { method, fields, place } = validCall
    const common: Headers = [...headers, ...validCall.headers]
    const { target, body = Buffer.alloc(0) } = writeCall(validCall, writeInput(validCall, fields))
    const own: Headers =
      place === 'body'
        ? [...common, ['Content-Type', 'application/json'], ['Content-Length', String(body.length)]]
        : common
    const head = encodeRequest({ method, target, headers: own }).toString('latin1').slice(0, -4)
    return { kind: 'wire', bytes: apply(head, body), ending }
  })
}

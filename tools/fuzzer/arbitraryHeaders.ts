import fc from 'fast-check'
import { oddNames, texts } from './dictionary.ts'
import type { Headers } from './FuzzRequest.ts'

const ofService = ['x-api-key', 'x-admin-key', 'x-request-id', 'idempotency-key', 'last-event-id', 'trpc-batch-mode']
const ofProxies = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'proxy-authorization']
const ofBrowsers = ['origin', 'cookie', 'access-control-request-method', 'access-control-request-headers']
const ofConnections = ['host', 'content-length', 'transfer-encoding', 'connection', 'te', 'upgrade', 'expect']
const ofCaches = ['authorization', 'if-none-match', 'range', 'age', 'priority', 'sec-fetch-site', 'content-type', 'x']
const ofFrameworks = ['x-http-method-override', 'x-original-url', 'x-rewrite-url']

const known = [...ofService, ...ofProxies, ...ofBrowsers, ...ofConnections, ...ofCaches, ...ofFrameworks]
const knownName = fc.constantFrom(...known)

const addresses = ['127.0.0.1', '::1', '::ffff:1.2.3.4', 'fe80::1%eth0', '1.2.3.4, 5.6.7.8', '256.1.1.1', '0x7f.1']
const origins = ['[::1]:80', 'https://app.example', 'https://evil.example', 'http://localhost']
const tokens = ['POST', 'TRACE', '100-continue', 'websocket', 'gzip, chunked', 'close', 'keep-alive', 'bytes=0-1']

const value = fc.constantFrom(...texts, ...addresses, ...origins, ...tokens, 'chunked', '1e9')

/** Additional or replaced headers: malformed, repeated, oversized or thousands. */
export const arbitraryHeaders: fc.Arbitrary<Headers> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.array(fc.tuple(fc.constantFrom(...known, ...oddNames), value), { minLength: 1, maxLength: 4 }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(knownName, upTo(40_000)).map(([name, length]): Headers => [[name, 'x'.repeat(length)]]),
  },
  { weight: 1, arbitrary: upTo(3000).map((count) => times(count, (at) => [`x-${at}`, 'y'])) },
  { weight: 1, arbitrary: fc.tuple(knownName, upTo(500)).map(([name, count]) => times(count, () => [name, 'twice'])) },
)

function upTo(max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max })
}

function times(count: number, make: (at: number) => Headers[number]): Headers {
  return Array.from({ length: count }, (_, at) => make(at))
}

const afterJson = [
  '',
  ';',
  ' ; charset=utf-8',
  '; charset=utf-16',
  '; charset=latin1',
  '; charset="',
  ', text/plain',
  '\t',
]
const almostJson = ['APPLICATION/JSON', 'application /json', 'text/json', 'json', 'application/jsonp']
const ofForms = ['application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=']
const others = ['text/plain', 'application/problem+json', 'application/octet-stream', 'text/event-stream', '__proto__']
const noTypes = ['', ' ', '*/*', 'application/*', '/', ';', 'multipart/form-data; boundary=x', 'a/b;'.repeat(500)]
const ofJson = afterJson.map((rest) => `application/json${rest}`)
const types = [...ofJson, ...almostJson, ...ofForms, ...others, ...noTypes]
const encodings = ['gzip', 'br', 'deflate', 'identity', 'Identity', 'identity, identity', '', 'utf-8', 'x'.repeat(3000)]
const accepts = ['application/jsonl', 'text/event-stream', 'text/html', 'application/jsonl, */*', '', 'x/'.repeat(2000)]

/** Headers of content type and negotiation: invalid, repeated or absent. */
export const arbitraryMedia: fc.Arbitrary<Headers> = fc
  .tuple(
    fc.array(header('content-type', types), { maxLength: 2 }),
    rarely(header('content-encoding', encodings)),
    rarely(header('accept', accepts)),
    rarely(header('trpc-accept', accepts)),
    rarely(header('accept-encoding', encodings)),
    rarely(header('accept-charset', ['utf-16', 'x'])),
  )
  .map((headers) => headers.flat())

function header(name: string, values: readonly string[]): fc.Arbitrary<readonly [string, string]> {
  return fc.constantFrom(...values).map((value) => [name, value] as const)
}

function rarely<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<readonly Value[]> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([] as readonly Value[]) },
    { weight: 1, arbitrary: arbitrary.map((value) => [value]) },
  )
}

import fc from 'fast-check'
import type { Headers } from './FuzzRequest.ts'
import { oddNames } from './oddNames.ts'

const names = [
  'x-api-key',
  'x-admin-key',
  'x-request-id',
  'x-forwarded-for',
  'origin',
  'host',
  'content-length',
  'cookie',
  'access-control-request-method',
  'access-control-request-headers',
  'authorization',
  'if-none-match',
  'range',
  'x-http-method-override',
  'last-event-id',
  'idempotency-key',
  'connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'expect',
  'via',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'x-original-url',
  'x-rewrite-url',
  'priority',
  'age',
  'content-type',
  'trpc-batch-mode',
  'sec-fetch-site',
  'proxy-authorization',
  'x',
  '__proto__',
  'constructor',
]

const values = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  'null',
  '*',
  ',',
  ';',
  '"',
  '\\',
  'a, b',
  'a b',
  'unknown',
  'x'.repeat(8000),
  '127.0.0.1',
  '::1',
  '::ffff:1.2.3.4',
  'fe80::1%eth0',
  '1.2.3.4, 5.6.7.8',
  '256.1.1.1',
  '0x7f.1',
  '::',
  '1',
  '[::1]:80',
  'https://app.example',
  'https://evil.example',
  'http://localhost',
  'POST',
  'TRACE',
  '100-continue',
  'websocket',
  'chunked',
  'gzip, chunked',
  'close',
  'keep-alive',
  'bytes=0-1',
  'é',
  'ÿ',
  '\t',
  'a\tb',
  '💥',
  'a\u0000b',
  'a\u007Fb',
  'order-42',
  'x'.repeat(128),
  'x'.repeat(129),
  '<script>',
  '../../etc/passwd',
  '%00',
  '${jndi:ldap://x}',
]

const value = fc.constantFrom(...values)

/** Additional or replaced headers: malformed, repeated, oversized or thousands. */
export const arbitraryHeaders: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 20, arbitrary: fc.array(fc.tuple(name(...names, ...oddNames), value), { minLength: 1, maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc.tuple(name(...names), upTo(40_000)).map(([name, length]): Headers => [[name, 'x'.repeat(length)]]),
  },
  { weight: 1, arbitrary: upTo(3000).map((count) => times(count, (at) => [`x-${at}`, 'y'])) },
  {
    weight: 1,
    arbitrary: fc.tuple(name(...names), upTo(500)).map(([name, count]) => times(count, () => [name, 'twice'])),
  },
)

function name(...candidates: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...candidates)
}

function upTo(max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max })
}

function times(count: number, make: (at: number) => Headers[number]): Headers {
  return Array.from({ length: count }, (_, at) => make(at))
}

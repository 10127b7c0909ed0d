import fc from 'fast-check'
import type { Headers } from './FuzzRequest.ts'

const types = [
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/x-www-form-urlencoded',
  'application/problem+json',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/jsonl',
  'application/json',
  'APPLICATION/JSON',
  'application/json;',
  'application/json ; charset=utf-8',
  'application/json;;',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset="',
  'json',
  'application/json, text/plain',
  'application /json',
  '',
  ' ',
  '*/*',
  'application/*',
  '/',
  ';',
  'a/b;'.repeat(500),
  'text/event-stream',
  '__proto__',
  'application/json\t',
  'multipart/form-data; boundary=',
]
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

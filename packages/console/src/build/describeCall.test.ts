import { expect, it } from 'vitest'
import {
  describeResponse,
  formatLiteral,
  formatResponse,
  formatSize,
  parseOperations,
  toCurl,
  toSdkCode,
} from './describeCall.ts'

const api = { security: [{ apiKey: [] }] }
const operations = parseOperations({
  paths: {
    '/api/v1/pools/{poolAddress}': {
      get: { ...api, 'x-procedure': 'pools.get', parameters: [{ in: 'path', name: 'poolAddress' }] },
    },
    '/api/v1/convert/quote': { post: { ...api, 'x-procedure': 'convert.quote', requestBody: {} } },
  },
  components: { securitySchemes: { apiKey: { name: 'X-API-Key' } } },
})

const curl = (procedure: string, input: unknown) =>
  toCurl({ procedure, input }, { url: 'http://127.0.0.1:3000', operations })

it('half of a UTF-16 pair, which has no form in a URL, is replaced', () => {
  expect(curl('pools.get', { poolAddress: '\ud800' })).toContain('/pools/%EF%BF%BD')
})

it('a procedure without an operation has no command', () => {
  expect(curl('pools.unknown', {})).toBeUndefined()
  expect(curl('pools.get', undefined)).toBeUndefined()
})

const origin = 'http://127.0.0.1:3000'

it('a quote without its tokens, which agio.quote requires, is taken by the procedure', () => {
  expect(toSdkCode({ procedure: 'convert.quote', input: { amountIn: '1' } }, origin)).toContain(
    "const result = await agio.api.convert.quote.query({ amountIn: '1' })",
  )
})

it('a literal that is too long for its line has a line for each part, as far as that is needed', () => {
  const long = 'x'.repeat(50)
  expect(formatLiteral({ amounts: [long, long, long], permit: { kind: 'eip2612' } })).toBe(`{
  amounts: [
    '${long}',
    '${long}',
    '${long}',
  ],
  permit: { kind: 'eip2612' },
}`)
})

it('the text around a literal counts for the length of its line', () => {
  const value = { text: 'x'.repeat(100) }
  const { length } = formatLiteral(value)
  expect(formatLiteral(value, 120 - length)).not.toContain('\n')
  expect(formatLiteral(value, 121 - length)).toContain('\n')
})

it('a response is formatted with a line for each value, and only if it is whole and JSON', () => {
  expect(formatResponse({ text: '{"a":[1]}', isCut: false })).toBe('{\n  "a": [\n    1\n  ]\n}')
  expect(formatResponse({ text: '{"a":[1', isCut: true })).toBeUndefined()
  expect(formatResponse({ text: 'TypeError: Failed to fetch', isCut: false })).toBeUndefined()
})

const response = { status: 200, ms: 1, requestId: undefined, text: '{}', bytes: 2, isCut: false, isAborted: false }
const error = '{"error":{"code":-32600,"data":{"code":"svc/stale-price"}}}'

it.each([
  [undefined, { label: 'Pending', tone: 'neutral' }],
  [{}, { label: '200', tone: 'positive' }],
  [
    { status: 422, text: error },
    { label: '422', tone: 'danger', code: 'svc/stale-price' },
  ],
  [
    { status: 502, text: '<html>' },
    { label: '502', tone: 'danger', code: undefined },
  ],
  [{ status: undefined }, { label: 'No response', tone: 'danger' }],
  [
    { status: undefined, isAborted: true },
    { label: 'Cancelled', tone: 'neutral' },
  ],
])('the outcome of a call with %j is %j', (fields, outcome) => {
  expect(describeResponse(fields && { ...response, ...fields })).toEqual(outcome)
})

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [65_536, '65.5 kB'],
  [999_999, '1.0 MB'],
  [1_234_567, '1.2 MB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(formatSize(bytes)).toBe(shown)
})

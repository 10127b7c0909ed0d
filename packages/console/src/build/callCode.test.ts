import { expect, it } from 'vitest'
import { formatLiteral, parseOperations, toCurl, toSdkCode } from './callCode.ts'

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

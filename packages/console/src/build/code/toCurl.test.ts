import { expect, it } from 'vitest'
import { parseOperations, toCurl } from './toCurl.ts'

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

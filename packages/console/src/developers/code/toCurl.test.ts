import { expect, it } from 'vitest'
import { parseOperations } from './operations.ts'
import { toCurl, quoteForShell } from './toCurl.ts'

const api = { security: [{ apiKey: [] }] }
const operations = parseOperations({
  paths: {
    '/api/v1/pools/{poolAddress}': {
      get: {
        ...api,
        'x-procedure': 'pools.get',
        parameters: [
          { in: 'path', name: 'poolAddress' },
          { in: 'query', name: 'chainId' },
        ],
      },
    },
    '/api/v1/oracle/prices': { get: { ...api, 'x-procedure': 'oracle.prices' } },
    '/api/v1/oracle/prices/{chainId}': {
      get: { ...api, 'x-procedure': 'oracle.prices', parameters: [{ in: 'path', name: 'chainId' }] },
    },
    '/api/v1/convert/quote': { post: { ...api, 'x-procedure': 'convert.quote', requestBody: {} } },
    '/api/v1/admin/keys/{id}/rotate': {
      post: {
        security: [{ adminKey: [] }],
        'x-procedure': 'admin.keys.rotate',
        parameters: [{ in: 'path', name: 'id' }],
        requestBody: {},
      },
    },
    '/api/v1/admin/keys/{id}/revoke': {
      post: {
        security: [{ adminKey: [] }],
        'x-procedure': 'admin.keys.revoke',
        parameters: [{ in: 'path', name: 'id' }],
      },
    },
    '/health': { get: { security: [] } },
  },
  components: { securitySchemes: { apiKey: { name: 'X-API-Key' }, adminKey: { name: 'X-Admin-Key' } } },
})

const curl = (procedure: string, input: unknown) =>
  toCurl({ procedure, input }, { origin: 'http://127.0.0.1:3000', operations })

it('parameters of the path are in the path, and the others in the query, encoded', () => {
  expect(curl('pools.get', { poolAddress: 'a/b?c', chainId: 1 })).toBe(
    `curl -s 'http://127.0.0.1:3000/api/v1/pools/a%2Fb%3Fc?chainId=1' \\
  -H "X-API-Key: $AGIO_API_KEY"`,
  )
})

it('of two operations with one procedure, the command takes the one whose path the input fills', () => {
  expect(curl('oracle.prices', {})).toContain('/oracle/prices \\\n')
  expect(curl('oracle.prices', { chainId: 1 })).toContain('/oracle/prices/1 \\\n')
})

it('a body is JSON, in one line if it is short, with its amounts as text', () => {
  expect(curl('convert.quote', { amountIn: '0.10', slippageBps: 5 })).toBe(
    `curl -s http://127.0.0.1:3000/api/v1/convert/quote \\
  -H "X-API-Key: $AGIO_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"amountIn":"0.10","slippageBps":5}'`,
  )
  expect(curl('convert.quote', { clientReference: 'x'.repeat(100) })).toContain('-d \'{\n  "clientReference": "xxx')
})

it('an operation of operators takes the admin key, and its body leaves out what the path has', () => {
  expect(curl('admin.keys.rotate', { id: 'key_1', overlapSeconds: 60 })).toBe(
    `curl -s http://127.0.0.1:3000/api/v1/admin/keys/key_1/rotate \\
  -H "X-Admin-Key: $AGIO_ADMIN_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"overlapSeconds":60}'`,
  )
})

it('a POST without a body names its method', () => {
  expect(curl('admin.keys.revoke', { id: 'key_1' })).toBe(
    `curl -s http://127.0.0.1:3000/api/v1/admin/keys/key_1/revoke \\
  -X POST \\
  -H "X-Admin-Key: $AGIO_ADMIN_KEY"`,
  )
})

it('half of a UTF-16 pair, which has no form in a URL, is replaced', () => {
  expect(curl('pools.get', { poolAddress: '\ud800' })).toContain('/pools/%EF%BF%BD')
})

it('a procedure without an operation has no command', () => {
  expect(curl('pools.unknown', {})).toBeUndefined()
  expect(curl('pools.get', undefined)).toBeUndefined()
})

it.each([
  ['http://127.0.0.1:3000/api/v1/chains', 'http://127.0.0.1:3000/api/v1/chains'],
  ['', "''"],
  ['a b', "'a b'"],
  ['http://host/?a=1&b=2', "'http://host/?a=1&b=2'"],
  ['$HOME `id` "x" \\ !', `'$HOME \`id\` "x" \\ !'`],
  ["it's", String.raw`'it'\''s'`],
  ["'", String.raw`''\'''`],
  ['~', "'~'"],
  ['=ls', "'=ls'"],
  ['a\nb', "'a\nb'"],
])('the text %j is the word %s', (text, word) => {
  expect(quoteForShell(text)).toBe(word)
})

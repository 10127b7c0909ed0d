import { appRouter } from '@agio/api'
import { describe, expect, it, vi } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { startAgio } from '../harness/startAgio.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'

// No block is mined, so that equal requests have equal responses.
const stack = setUp(() => startAgio({ ownDatabase: true }))

const mutations = Object.entries(appRouter._def.procedures as unknown as Readonly<Record<string, Procedure>>)
  .filter(([, { _def }]) => _def.type === 'mutation')
  .map(([operation]) => [operation, undefined] as const)

type Procedure = { readonly _def: { readonly type: string } }

// What is in them differs between two requests: times, or what the requests themselves count.
const changing = new Set([
  'admin.quotes.revokeSecrets',
  'approval.plan',
  'convert.quote',
  'keys.rotate',
  'transaction.buildConvert',
  'swap.build',
  'usage.get',
  'admin.stats',
])

const noInputs = [{}, { unknown: 1 }, 'text', { chainId: 1 }, { chainId: '84532' }, 7, null, []]

describe('a request in the plain protocol of tRPC', () => {
  it('every operation has the response that tRPC itself gives, byte for byte, also to odd input', async () => {
    // Each request adds an entry to the response of the next one.
    const { 'usage.requests': _, ...repeatable } = validInputs(stack.localnet.chains[84532])
    const inputs = { ...repeatable, 'admin.keys.list': {}, 'admin.stats': {} }
    let equal = 0
    for (const [operation, valid] of [...Object.entries(inputs), ...mutations]) {
      const similar = valid && [valid, { ...valid, chainId: 1 }, { ...valid, tokenIn: '0x01', poolAddress: 7 }]
      for (const input of [...(similar ?? []), ...noInputs]) {
        for (const request of [toGet([operation], input), toPost([operation], input)]) {
          const compared = changing.has(operation) ? toFields : toWhole
          // A block or a slow node may change one of the two responses.
          await vi.waitFor(async () => {
            const [plain, own] = await requestBoth(request)
            expect(compared(plain), `${operation} ${JSON.stringify(input)}`).toEqual(compared(own))
          }, eventually)
          equal += 1
        }
      }
    }
    expect(equal).toBeGreaterThan(400)
  })

  it('batches have the responses, the status and the headers that tRPC itself gives', async () => {
    const { 'convert.preview': preview, 'pools.get': pool } = validInputs(stack.localnet.chains[84532])
    const refused = { ...preview, amountIn: '0' }
    const batches: readonly (readonly [operations: readonly string[], inputs: unknown])[] = [
      [['convert.preview'], { 0: preview }],
      [['convert.preview', 'pools.get'], { 0: preview, 1: pool }],
      [['convert.preview', 'convert.preview'], { 0: refused, 1: preview }],
      [['convert.preview', 'convert.preview'], { 0: refused, 1: refused }],
      [['chains.list', 'pools.get', 'convert.preview'], { 1: pool }],
      [
        Array.from({ length: 10 }, () => 'convert.preview'),
        Object.fromEntries(Array.from({ length: 10 }, (_, at) => [at, preview])),
      ],
      [Array.from({ length: 11 }, () => 'chains.list'), {}],
      [['chains.list', 'no.such'], {}],
      [['no.such'], {}],
      [['chains.list', 'transaction.broadcast'], { 1: { signedTransaction: '0x02' } }],
      [['transaction.broadcast', 'transaction.broadcast'], { 0: { signedTransaction: '0x02' }, 1: {} }],
      [['convert.preview'], []],
      [['convert.preview'], 'text'],
      [['convert.preview'], null],
    ]
    const statuses = new Set<number>()
    for (const [operations, input] of batches) {
      for (const request of [toGet(operations, input, 'batch=1'), toPost(operations, input, 'batch=1')]) {
        const [plain, own] = await requestBoth(request)
        expect(plain, `${operations.join()} ${JSON.stringify(input)}`).toEqual(own)
        statuses.add(plain.status)
      }
    }
    expect(statuses).toEqual(new Set([200, 207, 400, 404, 405]))
  })

  it('input that is not JSON, and bodies of other types, are refused as tRPC itself refuses them', async () => {
    const path = '/trpc/convert.preview'
    const json = { 'content-type': 'application/json' }
    const requests: readonly Sent[] = [
      { path, query: 'input={' },
      { path, query: 'input=' },
      { path, query: 'batch=1&input=[' },
      { path: '/trpc/chains.list', query: 'input={' },
      { path: '/trpc/chains.list,chains.list', query: '' },
      { path: '/trpc/chains%2Elist', query: '' },
      { path: '/trpc/', query: '' },
      { path, query: '', method: 'POST', headers: json, body: '{' },
      { path, query: '', method: 'POST', headers: json, body: '' },
      { path: '/trpc/chains.list', query: '', method: 'POST', headers: json, body: '' },
      { path, query: '', method: 'POST', headers: { 'content-type': 'application/json; charset=utf-8' }, body: '{}' },
      { path, query: '', method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' },
      { path, query: 'input={}', headers: { 'content-type': 'multipart/form-data' } },
      { path, query: '', method: 'PUT', headers: json, body: '{}' },
    ]
    for (const request of requests) {
      const [plain, own] = await requestBoth(request)
      expect(plain, JSON.stringify(request)).toEqual(own)
    }
  })
})

type Sent = {
  readonly path: string
  readonly query: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function toGet(operations: readonly string[], input: unknown, query = ''): Sent {
  return {
    path: `/trpc/${operations.join(',')}`,
    query: [query, `input=${encodeURIComponent(JSON.stringify(input))}`].filter(Boolean).join('&'),
  }
}

function toPost(operations: readonly string[], input: unknown, query = ''): Sent {
  const headers = { 'content-type': 'application/json' }
  return { path: `/trpc/${operations.join(',')}`, query, method: 'POST', headers, body: JSON.stringify(input) }
}

/** The responses to a request, and to the same one with connection parameters, which only tRPC itself reads. */
async function requestBoth(request: Sent): Promise<readonly [plain: Received, own: Received]> {
  const withParameters = [request.query, 'connectionParams=null'].filter(Boolean).join('&')
  return [await send(request), await send({ ...request, query: withParameters })]
}

type Received = { readonly status: number; readonly headers: object; readonly body: string }

async function send({ path, query, headers, ...request }: Sent): Promise<Received> {
  const keys = { 'x-api-key': apiKey, 'x-admin-key': adminKey, 'x-request-id': 'the-same' }
  const response = await fetch(`${stack.url}${path}?${query}`, { ...request, headers: { ...keys, ...headers } })
  const { date: _, 'keep-alive': __, ratelimit: ___, ...received } = Object.fromEntries(response.headers)
  return { status: response.status, headers: received, body: await response.text() }
}

const toWhole = (received: Received) => received

/** A response with the names of the fields of its body, at any depth, instead of their values. */
function toFields(received: Received): object {
  const names: string[] = []
  JSON.parse(received.body, (key, value: unknown) => {
    names.push(key)
    return value
  })
  return { ...received, body: names }
}

import { once } from 'node:events'
import { request as connectHttp } from 'node:http'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { setUp } from '../harness/setUp.ts'
import { startAgio } from '../harness/startAgio.ts'
import { postMessage } from './connectAgent.ts'

const agio = setUp(() => startAgio({ ownDatabase: true, publicUrl: 'http://127.0.0.1' }))

const initialize = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
const newer = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'initialize' }
const newerInitialize = initialize.replace(
  '{}',
  '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}',
)

const toCall = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })

const post = (body: string, headers?: Readonly<Record<string, string>>) => postMessage(agio.url, body, headers)

it.each([
  ['a GET', () => post('', { method: 'GET' }), 405, 'svc/method-not-allowed'],
  ['a DELETE', () => post('', { method: 'DELETE' }), 405, 'svc/method-not-allowed'],
  ['an unknown key', () => post('{}', { 'x-api-key': 'agio_none' }), 401, 'svc/unauthorized'],
  ['a page that is not allowed', () => post('{}', { origin: 'https://x.example' }), 403, 'svc/origin-forbidden'],
  ['a page whose name resolves to the service', () => sendToHost('page.example'), 400, 'svc/invalid-request'],
  ['a name that is not of PUBLIC_URL', () => sendToHost('localhost'), 403, 'svc/origin-forbidden'],
  ['a body that is too large', () => post(`"${'a'.repeat(100_001)}"`), 413, 'svc/payload-too-large'],
  ['another media type', () => post('{}', { 'content-type': 'text/plain' }), 415, 'svc/unsupported-media-type'],
  ['no JSON', () => post('{'), 400, 'svc/invalid-request'],
  ['a call without a name', () => post(toCall({})), 400, 'svc/invalid-request'],
  [
    'a call whose arguments are a list',
    () => post(toCall({ name: 'list_networks', arguments: [1] })),
    400,
    'svc/invalid',
  ],
  ['a list of messages', () => post(`[${initialize}]`), 400, 'svc/invalid-request'],
  ['a field twice', () => post('{"id":1,"id":2}'), 400, 'svc/invalid-request'],
  ['an initialize that is malformed', () => post(initialize), 200, '-32602'],
  ['a read of no resource', () => post('{"jsonrpc":"2.0","id":1,"method":"resources/read"}'), 200, '-32602'],
  ['a call with malformed metadata', () => post(toCall({ name: 'list_networks', _meta: 4 })), 400, '-32602'],
  ['a subscription', () => post('{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}'), 200, '-32601'],
  ['an initialize with the newer protocol', () => post(newerInitialize, newer), 404, '-32601'],
  ['a method that does not exist', () => post('{"jsonrpc":"2.0","id":1,"method":"none"}'), 200, '-32601'],
])('the edge refuses %s with its status and code', async (_, send, status, code) => {
  const response = await send()
  const text = await response.text()
  expect([response.status, text]).toEqual([status, expect.stringContaining(code)])
  expect(text).not.toContain('-32603')
})

it('key, address, limits and size are checked before the body arrives, and the scopes of a tool after it', async () => {
  const admin = createAdminClient(agio.url)
  const [{ key: elsewhere }, { key: usedUp }] = await Promise.all([
    admin.issueWith({ allowedCidrs: ['203.0.113.0/24'] }),
    admin.issue({ requests: 1, windowSeconds: 3600, burstPerSecond: 10, monthlyQuota: 100 }),
  ])
  await post(toCall({ name: 'list_networks' }), { 'x-api-key': usedUp })
  const statuses = [
    await sendHeaders('agio_none'),
    await sendHeaders(elsewhere),
    await sendHeaders(usedUp),
    await sendHeaders(apiKey, 100_001),
  ]
  expect(statuses).toEqual([401, 403, 429, 413])
})

/** Sends the headers of a request, and returns the status of the answer, which arrives without the body. */
async function sendHeaders(key: string, length = 100): Promise<number> {
  const { hostname, port } = new URL(agio.url)
  const headers = { 'content-type': 'application/json', 'content-length': length, 'x-api-key': key }
  const sent = connectHttp({ hostname, port, path: '/mcp', method: 'POST', headers })
  sent.flushHeaders()
  const [{ statusCode }] = (await once(sent, 'response')) as [{ readonly statusCode: number }]
  sent.on('error', () => {}).destroy()
  return statusCode
}

it('MCP=off serves no agents', async () => {
  await using other = await startAgio({ localnet: agio.localnet, mcp: 'off' })
  const response = await fetch(`${other.url}/mcp`, { method: 'POST', headers: { 'x-api-key': apiKey } })
  expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ code: 'svc/not-found' })])
})

it('the metrics name a tool, and the edge for every other request', async () => {
  for (const body of [toCall({ name: 'list_networks' }), initialize]) await (await post(body)).text()
  const headers = { 'x-admin-key': adminKey }
  const metrics = await (await fetch(`${agio.url}/metrics`, { headers })).text()
  for (const operation of ['mcp', 'mcp.listNetworks'])
    expect(metrics).toMatch(new RegExp(`^agio_requests_total\\{operation="${operation}",status="200"\\} [1-9]`, 'm'))
})

/** Sends a request with a Host, which `fetch` would replace. */
async function sendToHost(host: string): Promise<Pick<Response, 'status' | 'text'>> {
  const headers = { host, 'content-type': 'application/json', 'x-api-key': apiKey }
  const { statusCode, body } = await request(`${agio.url}/mcp`, { method: 'POST', headers, body: initialize })
  return { status: statusCode, text: () => body.text() }
}

it.each(['oauth-protected-resource', 'oauth-authorization-server', 'oauth-protected-resource/mcp'])(
  'a client that looks for /.well-known/%s learns that none exists',
  async (name) => {
    const response = await fetch(`${agio.url}/.well-known/${name}`)
    expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ code: 'svc/not-found' })])
  },
)

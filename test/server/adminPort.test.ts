import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { request } from 'undici'
import { describe, expect, inject, it } from 'vitest'
import { adminKey, apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess, type Runtime } from '../harness/startServerProcess.ts'
import { setUp } from '../harness/setUp.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'

describe.each(inject('runtimes'))('a service on $name with ADMIN_PORT', ({ name }) => {
  const localnet = setUp(() => startTestLocalnet({ onDisk: true }))
  const server = setUp(async () => {
    const consoleDir = join(localnet.deploymentsDir, 'console')
    await mkdir(consoleDir)
    await writeFile(join(consoleDir, 'index.html'), '<title>Console</title>')
    const settings = settingsFor(localnet, { adminPort: 0, metricsPort: 0, consoleDir })
    return await startServerProcess(settings, name as Runtime)
  })

  /** Sends a request, and returns what a client can learn from its response. */
  async function send(url: string, path: string, { method = 'GET', headers = {} }: Sent = {}) {
    const response = await request(`${url}${path}`, {
      method,
      headers: { 'x-request-id': 'the-same', 'x-forwarded-for': '198.51.100.9', ...headers },
      body: method === 'POST' ? '{}' : null,
    })
    const { date: _, ratelimit: __, ...shown } = response.headers
    return { status: response.statusCode, headers: shown, text: await response.body.text() }
  }

  it('the port of operators serves their operations, the metrics, the health, the console and the operations of keys', async () => {
    const keys = { 'x-admin-key': adminKey, 'x-api-key': apiKey }
    for (const path of [
      '/api/v1/admin/keys',
      '/trpc/admin.keys.list',
      '/metrics',
      '/health',
      '/console',
      '/api/v1/chains',
    ])
      await expect
        .poll(async () => (await send(server.adminUrl, path, { headers: keys })).status, {
          ...eventually,
          message: path,
        })
        .toBe(200)
    expect((await send(server.adminUrl, '/api/v1/admin/keys', { headers: { 'x-admin-key': 'wrong' } })).status).toBe(
      401,
    )
    expect((await send(server.adminUrl, '/metrics')).status).toBe(401)
  })

  const hidden: readonly (readonly [path: string, unknown: string])[] = [
    ['/api/v1/admin/keys', '/api/v1/other/keys'],
    ['/api/v1/admin/keys/a/revoke', '/api/v1/other/keys/a/revoke'],
    ['/trpc/admin.stats', '/trpc/other.stats'],
    ['/trpc/admin.keys.create', '/trpc/other.keys.create'],
    ['/trpc/%61dmin.stats', '/trpc/%6Fther.stats'],
    ['/trpc/chains.list,admin.stats?batch=1&input=%7B%7D', '/trpc/chains.list,other.stats?batch=1&input=%7B%7D'],
    ['/metrics', '/other'],
    ['/local/scenarios', '/other/scenarios'],
  ]
  const json = { 'content-type': 'application/json' }
  it.each([
    ['without a key', {}],
    ['with the admin key', { headers: { 'x-admin-key': adminKey } }],
    ['with both keys', { headers: { 'x-admin-key': adminKey, 'x-api-key': apiKey } }],
    ['by POST', { method: 'POST', headers: { 'x-admin-key': adminKey, 'x-api-key': apiKey, ...json } }],
    ['by PUT', { method: 'PUT', headers: { 'x-admin-key': adminKey, 'x-api-key': apiKey } }],
    ['by HEAD', { method: 'HEAD', headers: { 'x-admin-key': adminKey, 'x-api-key': apiKey } }],
    ['by a preflight', { method: 'OPTIONS', headers: { origin: 'https://app.example' } }],
  ] as const)('the public port answers the paths of operators like unknown paths: %s', async (_, sent) => {
    for (const [path, unknown] of hidden) {
      const [ofOperators, ofUnknown] = await Promise.all([
        send(server.url, path, sent),
        send(server.url, unknown, sent),
      ])
      const toComparable = (response: object) =>
        JSON.stringify(response)
          .replaceAll(/admin|metrics|local|other/g, '…')
          .replaceAll(/"content-length":"\d+"/g, '')
      expect(toComparable(ofOperators), path).toBe(toComparable(ofUnknown))
      expect(ofOperators.text).not.toContain('totals')
    }
  })

  it('the public port serves everything else', async () => {
    const keys = { 'x-api-key': apiKey }
    for (const path of ['/health', '/console', '/api/v1/chains', '/trpc/chains.list', '/openapi.json'])
      expect((await send(server.url, path, { headers: keys })).status, path).toBe(200)
  })
})

type Sent = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
}

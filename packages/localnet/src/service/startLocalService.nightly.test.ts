import { Network } from '@agio/core'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { localServiceDefaults } from './localServiceDefaults.ts'
import { connectNode } from '../../test/connectNode.ts'
import { setUpLocalnet } from '../../test/startTestLocalnet.ts'
import { startLocalService } from './startLocalService.ts'

const localnet = setUpLocalnet()

test('the settings of a local service replace the defaults one by one, and it has no console unless it is given one', async () => {
  await using service = await startLocalService(localnet, { adminKey: 'another-admin-key' })
  const list = async (adminKey: string) =>
    (await fetch(`${service.url}/local/scenarios`, { headers: { 'x-admin-key': adminKey } })).status
  expect(await list('another-admin-key')).toBe(200)
  expect(await list(localServiceDefaults.adminKey)).toBe(401)
  expect((await fetch(`${service.url}/console`)).status).toBe(404)
})

test('the console of a local service has its public keys, and nodes that its faults do not reach', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'agio-local-console-'))
  const consoleDir = folder.path
  await writeFile(join(consoleDir, 'index.html'), '__CONSOLE_SETTINGS__')
  await using service = await startLocalService(localnet, { consoleDir })
  const response = await fetch(`${service.url}/console`)
  const { local } = (await response.json()) as { local: { rpcUrls: Readonly<Record<string, string>> } }
  expect(local).toEqual({
    apiKey: localServiceDefaults.presetKeys[0].secret,
    standardKey: localServiceDefaults.presetKeys[1].secret,
    adminKey: localServiceDefaults.adminKey,
    rpcUrls: Network.map((chainId) => localnet.chains[chainId].rpcUrl),
  })
  const policy = response.headers.get('content-security-policy')
  for (const url of Object.values(local.rpcUrls)) expect(policy).toContain(new URL(url).origin)
  await service.scenarios.run('rpc-down')
  for (const [chainId, rpcUrl] of Object.entries(local.rpcUrls)) {
    expect(await connectNode({ rpcUrl }).getChainId()).toBe(Number(chainId))
  }
  await service.scenarios.reset()
})

test('a local service refuses requests that name another host, because a page could have resolved its own name to this machine', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'agio-local-console-'))
  const consoleDir = folder.path
  await writeFile(join(consoleDir, 'index.html'), '__CONSOLE_SETTINGS__')
  await using service = await startLocalService(localnet, { consoleDir, host: '0.0.0.0' })
  const { port } = new URL(service.url)
  const { adminKey, presetKeys } = localServiceDefaults
  const headers = { 'x-admin-key': adminKey, 'x-api-key': presetKeys[0].secret }
  async function read(path: string, host: string): Promise<{ readonly status: number; readonly body: string }> {
    const sent = request({ port, host: '127.0.0.1', path, headers: { ...headers, host } }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 0, body: await text(response) }
  }
  const paths = ['/health/live', '/console', '/docs', '/local/scenarios', '/api/v1/chains', '/trpc/chains.list']
  const foreign = [
    'rebound.example',
    `rebound.example:${port}`,
    '127.0.0.1.rebound.example',
    'localhost.example',
    '192.0.2.7',
  ]
  for (const path of paths) {
    for (const host of foreign) {
      const { status, body } = await read(path, host)
      expect([path, host, status]).toEqual([path, host, 400])
      expect(body).toContain('svc/invalid-request')
    }
    const own = ['localhost', `LocalHost:${port}`, 'agio.localhost:80', '127.0.0.1', '127.1.2.3:1', '[::1]:3000']
    // The last one is the setting HOST.
    for (const host of [...own, '0.0.0.0'])
      expect([path, host, (await read(path, host)).status]).toEqual([path, host, 200])
  }
  // Node's client replaces an empty header by the name of the server.
  const empty = connect(Number(port), '127.0.0.1')
  empty.end('GET /health/live HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')
  expect(await text(empty)).toMatch(/^HTTP\/1\.1 400 .*its header Host names another machine/s)
})

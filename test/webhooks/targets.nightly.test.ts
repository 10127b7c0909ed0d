import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { RunningServer } from '@agio/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet } from '../harness/createWallet.ts'
import { eventually } from '../harness/timeLimits.ts'
import { apiKey, type SettingsChanges } from '../harness/settingsFor.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startReceiver } from './startReceiver.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { setUp } from '../harness/setUp.ts'

const localnet = setUp(() => startTestLocalnet({ blockIntervalMs: 3_600_000 }))
const receiver = setUp(startReceiver)

describe('the URL of a webhook', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startTestServer(localnet, { ownDatabase: true })
  })
  afterAll(() => server?.stop())

  it.each([
    'http://shop.example/',
    'ftp://shop.example/',
    'https://user:password@shop.example/',
    'https://shop.example/#part',
    'https://',
    'shop.example',
    'https://127.0.0.1/',
    'https://0x7f000001/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    `https://shop.example/${'a'.repeat(2048)}`,
  ])('error: %s is svc/invalid-request for the field url', async (url) => {
    const outcome = await createRestCaller({ url: server.url, apiKey })('webhooks.create', { url })
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field: 'url' } })
  })

  it('a service without webhooks creates none', async () => {
    const { call } = await start({ webhookTargets: 'off' })
    const outcome = await call('webhooks.create', { url: 'https://shop.example/' })
    expect(outcome).toMatchObject({ status: 404, failure: { code: 'svc/not-found' } })
  })
})

describe('the address of a receiver', () => {
  let resolve: ResolveHost
  let shared: Service
  beforeAll(async () => {
    shared = await startService({}, (name) => resolve(name))
  })
  afterAll(() => shared?.stop())

  /** Resolves names in another way. */
  function resolveBy(next: ResolveHost): Service {
    resolve = next
    return shared
  }

  it.each([['127.0.0.1'], ['::1'], ['10.0.0.1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1'], ['2d00::1', '127.0.0.1']])(
    'a name that resolves to %s %s is not connected to',
    async (...addresses) => {
      const { deliver } = resolveBy(async () => addresses)
      expect(await deliver(`https://shop.example:${receiver.port}/`)).toMatchObject({ lastError: 'address-not-public' })
      expect(receiver.messages).toEqual([])
    },
  )

  it('a name that was public at the first attempt and resolves to 127.0.0.1 at the next is not connected to', async () => {
    let resolutions = 0
    const { deliver } = await start({ webhookRetrySeconds: [0.01], webhookTimeoutMs: 300 }, async () => {
      resolutions += 1
      // A public address that is not allocated, so that nothing answers there.
      return [resolutions === 1 ? '2d00::1' : '127.0.0.1']
    })
    const delivery = await deliver(`https://shop.example:${receiver.port}/`)
    expect(delivery).toMatchObject({ attempts: 2, lastError: 'address-not-public' })
    expect(resolutions, 'once an attempt: what was checked is connected to').toBe(2)
    expect(receiver.messages).toEqual([])
  })

  it('a name that has no address, and one whose resolution never ends, are failed attempts', async () => {
    const unknown = resolveBy(() => Promise.reject(new Error('ENOTFOUND')))
    expect(await unknown.deliver('https://shop.example/')).toMatchObject({ lastError: 'name-not-found' })
    const silent = await start({ webhookTimeoutMs: 100 }, () => new Promise(() => {}))
    expect(await silent.deliver('https://shop.example/')).toMatchObject({ lastError: 'timeout' })
  })

  const slowAnswers = [
    ['never answers', () => {}],
    [
      'answers slowly, byte by byte, without an end of its headers',
      (_: unknown, response: { socket: { write(text: string): void } | null }) => {
        response.socket?.write('HTTP/1.1 200 OK\r\n')
        const timer = setInterval(() => response.socket?.write('x: y\r\n'), 100)
        setTimeout(() => clearInterval(timer), 10_000).unref()
      },
    ],
  ] as const
  it.each(slowAnswers)('a receiver that %s is given up by the limit of time', async (_, answer) => {
    await using slow = await startReceiver()
    slow.setAnswer(answer)
    const limits = { webhookTimeoutMs: 1000, webhookRetrySeconds: [0.01, 0.01] }
    const { deliver } = await start({ ...limits, webhookTargets: 'local' })
    expect(await deliver(slow.url)).toMatchObject({ attempts: 3, lastError: 'timeout' })
  })

  it('TLS verifies the name of the receiver, although the connection is to its address', async () => {
    const names: (string | undefined)[] = []
    const server = createServer({ SNICallback: (name, done) => (names.push(name), done(new Error('no certificate'))) })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { deliver } = await start({ webhookTargets: 'local' }, async () => ['127.0.0.1'])
    const delivery = await deliver(`https://shop.example:${port}/`)
    expect(delivery).toMatchObject({ lastError: expect.stringMatching(/tls|connection/) as string })
    expect(names).toEqual(['shop.example'])
  })

  it('a local service delivers over http to the address that a name resolves to', async () => {
    let resolutions = 0
    const { deliver } = await start({ webhookTargets: 'local' }, async () => {
      resolutions += 1
      // Nothing listens on the second one: one attempt resolves the name once.
      return [resolutions === 1 ? '127.0.0.1' : '127.0.0.2']
    })
    expect(await deliver(`http://shop.example:${receiver.port}/path?query=1`, 'delivered')).toMatchObject({
      attempts: 1,
    })
    const [message] = receiver.messages
    expect(message).toMatchObject({ url: '/path?query=1', headers: { host: `shop.example:${receiver.port}` } })
  })
})

type ResolveHost = (name: string) => Promise<readonly string[]>

type Service = Awaited<ReturnType<typeof startService>>

/** Starts a service that gives up at the first failed attempt, until the test ends. */
async function start(settings: SettingsChanges = {}, resolveHost?: ResolveHost): Promise<Service> {
  const service = await startService(settings, resolveHost)
  onTestFinished(() => service.stop())
  return service
}

async function startService(settings: SettingsChanges, resolveHost: ResolveHost = async () => ['127.0.0.1']) {
  const changes = { webhookRetrySeconds: [], broadcastWaitMs: 200, ownDatabase: true, ...settings }
  const { url: serviceUrl, stop } = await startTestServer(localnet, changes, { resolveHost })
  const call = createRestCaller({ url: serviceUrl, apiKey })
  /** Creates a webhook, broadcasts a transaction, and returns the delivery of its first event once it has ended. */
  async function deliver(url: string, status = 'given-up') {
    const created = await call('webhooks.create', { url })
    const id = String(created.data?.['id'])
    onTestFinished(async () => void (await call('webhooks.delete', { id })))
    const wallet = await createWallet(localnet.chains[84532])
    const empty = { chainId: 84532, to: wallet.address, data: '0x', value: '1', gasLimit: '21000' } as const
    await call('transaction.broadcast', { signedTransaction: await wallet.sign(call, empty) })
    const list = async () => {
      const { data } = await call('webhooks.deliveries', { id, status })
      return data?.['deliveries'] as readonly Readonly<Record<string, unknown>>[]
    }
    // Later events of the transaction may have ended, too. The newest is listed first.
    await expect.poll(async () => (await list()).length, eventually).toBeGreaterThan(0)
    return (await list()).at(-1)
  }
  return { call, deliver, stop }
}

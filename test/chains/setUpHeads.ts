import type { Localnet } from '@agio/localnet'
import type { Settings } from '@agio/server'
import { toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { isHeadPoll, startProxy, type Proxy } from '../harness/startProxy.ts'
import { startSocketProxy, type SocketProxy } from '../upstreams/startSocketProxy.ts'
import { startTcpProxy, type TcpProxy } from '../harness/startTcpProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { startTestServer } from '../harness/startTestServer.ts'

/** Asserts the status and the code of a failure, which must not reveal where the node is. */
export function expectFailure(outcome: Awaited<ReturnType<Caller>>, expected: string): void {
  expect(`${outcome.status} ${outcome.failure?.code}`).toBe(expected)
  expect(JSON.stringify(outcome)).not.toMatch(/127\.0\.0\.1|localhost|(http|ws)s?:\/\//)
}

/** Starts a chain with proxies before the tests of a file, and stops them afterwards. */
export function setUpHeads() {
  let localnet: Localnet
  let owner: Owner
  /** Over HTTP. */
  let http: Proxy
  /** Over a WebSocket that records its messages. */
  let socket: SocketProxy
  /** Over a WebSocket straight to the node, whose connections can be cut. */
  let wire: TcpProxy
  let wireUrl: string

  beforeAll(async () => {
    localnet = await startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 })
    const { rpcUrl } = localnet.chains[84532]
    owner = connectOwner(localnet.chains[84532])
    http = await startProxy(rpcUrl)
    socket = await startSocketProxy(rpcUrl)
    wire = await startTcpProxy(rpcUrl)
    wireUrl = wire.url.replace(/^http/, 'ws')
  })

  beforeEach(async () => {
    http.reset()
    socket.reset()
    await wire.restore()
  })

  afterAll(async () => {
    for (const part of [localnet, http, socket, wire]) await part?.[Symbol.asyncDispose]()
  })

  /** Starts a service over the nodes of one chain, until the test ends. */
  async function serve(nodes: readonly string[], settings: Partial<Settings> = {}) {
    const rpcUrls = { 84532: nodes }
    const subscriptions = socket.count('eth_subscribe')
    const { url, stop } = await startTestServer(localnet, { rpcUrls, ...settings })
    onTestFinished(stop)
    const call = createRestCaller({ url, apiKey })
    return {
      url,
      call,
      preview: () => call('convert.preview', validInputs(localnet.chains[84532])['convert.preview']),
      /** Waits until the service has subscribed over the recorded WebSocket, and serves the newest block. */
      async waitUntilSubscribed() {
        await vi.waitUntil(() => socket.count('eth_subscribe') > subscriptions, eventually)
        await waitForBlock(url, localnet.chains[84532])
      },
      stop,
    }
  }

  const mine = () => owner.client.mine({ blocks: 1 })
  /** Returns the newest block in the form of a node's response. */
  async function readBlock() {
    const { number, hash, parentHash, timestamp } = await owner.client.getBlock()
    return { number: toHex(number), hash, parentHash, timestamp: toHex(timestamp) }
  }

  const countPolls = () => http.requests.filter(isHeadPoll).length
  async function waitUntilPolled(times: number): Promise<void> {
    const before = countPolls()
    await vi.waitUntil(() => countPolls() >= before + times, eventually)
  }

  /** Waits until no poll has come over HTTP for five times as long as the service waits between two polls. */
  async function waitUntilNotPolled(): Promise<void> {
    await vi.waitUntil(
      () => performance.now() - (http.requests.findLast(isHeadPoll)?.receivedAtMs ?? 0) > 2000,
      eventually,
    )
  }

  return {
    get socket() {
      return socket
    },
    get http() {
      return http
    },
    get localnet() {
      return localnet
    },
    get wireUrl() {
      return wireUrl
    },
    get owner() {
      return owner
    },
    get wire() {
      return wire
    },
    serve,
    countPolls,
    readBlock,
    mine,
    waitUntilPolled,
    waitUntilNotPolled,
  }
}

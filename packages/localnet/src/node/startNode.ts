import { setTimeout as wait } from 'node:timers/promises'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type Server, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket, AddressInfo } from 'node:net'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import type { Network } from '@agio/core'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import { createTestClient, http, createPublicClient } from 'viem'
import { host, keepAliveMs } from './assertPortFree.ts'
import { toNetworkName } from './localNetworks.ts'
import { createForkedState, RateLimitedError, type RpcRequest, type SendRequest } from './createForkedState.ts'

const stopWithinMs = 1000

/** Starts the node of one chain, which serves JSON-RPC over HTTP and WebSocket. */
export async function startNode(hre: HardhatRuntimeEnvironment, options: Options): Promise<LocalNode> {
  const { chainId, forkUrl, blockIntervalMs } = options
  await using starting = new AsyncDisposableStack()
  const forking = forkUrl === undefined ? {} : { forking: await startFork(forkUrl, chainId, starting) }
  const override = { ...forking, mining: { auto: true, interval: blockIntervalMs } }
  const server = await hre.network.createServer({ network: toNetworkName(chainId), override }, host, options.port)
  const { port } = await server.listen()
  const sockets = trackSockets(port)
  const rpcUrl = `http://${host}:${port}`
  const client = createTestClient({ mode: 'hardhat', transport: http(rpcUrl, { retryCount: 0 }) })
  const running = starting.move()
  return {
    chainId,
    rpcUrl,
    async stop() {
      // Without this, the chain continues to mine until it is garbage-collected. The wait is limited, since a fork with
      // an unreachable origin may not respond for seconds.
      const stopMining = client.setIntervalMining({ interval: 0 }).catch(() => {})
      await Promise.race([stopMining, wait(stopWithinMs, undefined, { ref: false })])
      const closed = server.close()
      sockets.destroyAll()
      await closed
      await running.disposeAsync()
    },
  }
}

type Options = {
  readonly chainId: Network.ChainId
  /** 0 takes any free port. */
  readonly port: number
  readonly blockIntervalMs: number
  /** The URL of the node to fork from. Without it, the chain is new. */
  readonly forkUrl?: string | undefined
}

/** The running node of a local chain. */
export type LocalNode = {
  readonly chainId: Network.ChainId
  readonly rpcUrl: string
  /** Closes all connections and frees the port. */
  stop(): Promise<void>
}

/** Starts the proxy through which a fork reads. Returns its URL and the block at which the fork begins. */
async function startFork(
  forkUrl: string,
  chainId: Network.ChainId,
  running: AsyncDisposableStack,
): Promise<findForkOrigin.Origin> {
  const { url, ...origin } = await findForkOrigin(forkUrl, chainId)
  return { ...origin, url: running.use(await startForkOrigin(url)).url }
}

const socketChannel = 'net.server.socket'

/**
 * Tracks the connections to a port of this process, so that its server can close at once. Hardhat's server waits until
 * all clients disconnect, and a WebSocket client never does. Keeps idle connections open.
 */
function trackSockets(port: number) {
  const sockets = new Set<Socket>()
  const add = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    if (socket.localPort !== port) return
    const { server } = socket as Socket & { readonly server: Server }
    server.keepAliveTimeout = keepAliveMs
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  subscribe(socketChannel, add)
  return {
    destroyAll(): void {
      unsubscribe(socketChannel, add)
      for (const socket of sockets) socket.destroy()
    },
  }
}

// The default of anvil and of other development nodes.
const developmentChainId = 31337

/**
 * Returns the block of another node at which a fork begins.
 *
 * A live network is forked at Hardhat's default block, some minutes behind the head, because Hardhat caches state only
 * there. A development node is forked at its head, with its latest transactions.
 *
 * @throws `Error` if the node does not respond, or serves another chain
 */
async function findForkOrigin(url: string, chainId: Network.ChainId): Promise<findForkOrigin.Origin> {
  const client = createPublicClient({ transport: http(url, { retryCount: 1 }) })
  const actual = await client.getChainId().catch((cause: unknown) => {
    throw new Error(`Cannot fork chain ${chainId}: ${toHostName(url)} does not respond`, { cause })
  })
  if (actual !== chainId) {
    const hint = actual === developmentChainId ? `. Start it with the id: anvil --chain-id ${chainId}` : ''
    throw new Error(`Cannot fork chain ${chainId}: ${toHostName(url)} is a node of chain ${actual}${hint}`)
  }
  const version = await client.request({ method: 'web3_clientVersion' }).catch(() => '')
  return /^(hardhat|anvil)/i.test(version) ? { url, blockNumber: await client.getBlockNumber() } : { url }
}

declare namespace findForkOrigin {
  type Origin = { readonly url: string; readonly blockNumber?: bigint }
}

// The path of an RPC URL often contains a key.
function toHostName(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid URL'
}

// Below the service's time limit for one request, so that the service receives the error of the failed read.
const timeoutMs = 3000

/**
 * Starts a proxy through which a fork reads from its origin node. The proxy caches results. While the node does not
 * answer, the proxy answers at once, from its cache or with an error. Without the proxy, a fork would retry a failed read for a
 * minute and serve no other request meanwhile.
 *
 * @param url the URL of the node. Credentials in it are sent as basic authentication
 */
async function startForkOrigin(url: string): Promise<ForkOrigin> {
  const state = createForkedState(createSend(url))
  const answer = async ({ id, ...request }: IdentifiedRequest) => ({
    jsonrpc: '2.0',
    id,
    ...(await state.read(request)),
  })

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(incoming)) as IdentifiedRequest | IdentifiedRequest[]
    const replies = await (Array.isArray(body) ? Promise.all(body.map(answer)) : answer(body))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(replies))
  }
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      if (error instanceof RateLimitedError) response.writeHead(429, { 'retry-after': '1' }).end()
      else response.destroy()
    })
  })
  await once(server.listen(0, host), 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      state.stop()
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

/** The proxy between a fork and its upstream node. Disposing it stops it. */
type ForkOrigin = AsyncDisposable & {
  /** The URL of the proxy. */
  readonly url: string
}

type IdentifiedRequest = RpcRequest & { readonly id: unknown }

function createSend(url: string): SendRequest {
  const { href, headers } = splitCredentials(url)
  return async (request) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, params: [], ...request })
    const response = await fetch(href, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
    if (response.status === 429) throw new RateLimitedError()
    const { result, error } = (await response.json()) as { readonly result?: unknown; readonly error?: unknown }
    return error ? { error } : { result }
  }
}

// fetch rejects a URL with credentials.
function splitCredentials(url: string) {
  const target = new URL(url)
  const credentials = [target.username, target.password].map(decodeURIComponent).join(':')
  const authorization = credentials === ':' ? {} : { authorization: `Basic ${btoa(credentials)}` }
  target.username = ''
  target.password = ''
  return { href: target.href, headers: { 'content-type': 'application/json', ...authorization } }
}

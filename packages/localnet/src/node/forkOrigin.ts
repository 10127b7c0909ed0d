import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { host } from './assertPortFree.ts'
import { createForkedState, RateLimitedError, type RpcRequest, type SendRequest } from './createForkedState.ts'
import type { Network } from '@agio/core'
import { createPublicClient, http } from 'viem'

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
export async function findForkOrigin(url: string, chainId: Network.ChainId): Promise<findForkOrigin.Origin> {
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

export declare namespace findForkOrigin {
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
export async function startForkOrigin(url: string): Promise<ForkOrigin> {
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
export type ForkOrigin = AsyncDisposable & {
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

import type { Network } from '@agio/core'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createPublicClient, http } from 'viem'
import { host, keepAliveMs } from '../../node/assertPortFree.ts'
import type { LocalChain } from '../../chain/LocalChain.ts'
import type { Localnet } from '../../localnet/startLocalnet.ts'
import { holdTagsBack, type TagDepths } from './holdTagsBack.ts'

/**
 * Starts a fault proxy in front of each chain's node, on a free port, for the `rpc-*` scenarios. The proxy also moves
 * the tags `safe` and `finalized` to earlier blocks, since a local node answers both with its newest block.
 *
 * @example
 * await using proxies = await startFaultProxies(localnet)
 * const rpcUrls = { 84532: [proxies[84532].url] }
 */
export async function startFaultProxies<Id extends Network.ChainId = Network.ChainId>(
  { chains }: Pick<Localnet<Id>, 'chains'>,
  options: startFaultProxies.Options = {},
): Promise<FaultProxies<Id>> {
  await using starting = new AsyncDisposableStack()
  const proxies: [Network.ChainId, FaultProxy][] = []
  for (const { chainId, rpcUrl } of Object.values<LocalChain>(chains)) {
    proxies.push([chainId, starting.use(await startFaultProxy(rpcUrl, options))])
  }
  const running = starting.move()
  const byChain = Object.fromEntries(proxies) as Omit<FaultProxies<Id>, keyof AsyncDisposable>
  return { ...byChain, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

export declare namespace startFaultProxies {
  type Options = {
    /** How many blocks `safe` is behind the newest block; `finalized` is twice as many. Default: 0. */
    readonly finalityBlocks?: number | undefined
  }
}

/** The proxies between the service and its nodes: at least the proxies of the chains `Id`. Disposing them stops them. */
export type FaultProxies<Id extends Network.ChainId = Network.ChainId> = AsyncDisposable &
  Readonly<Record<Id, FaultProxy> & Partial<Record<Network.ChainId, FaultProxy>>>

/**
 * Starts a proxy that forwards JSON-RPC over HTTP to a node, unless an injected fault answers instead. The node's own
 * port stays healthy.
 */
async function startFaultProxy(
  nodeUrl: string,
  { finalityBlocks = 0 }: startFaultProxies.Options,
): Promise<FaultProxy> {
  const safe = BigInt(finalityBlocks)
  const node = { url: nodeUrl, depths: { safe, finalized: 2n * safe } }
  let fault: RpcFault | undefined
  let cleared = new AbortController()

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const forward = await createForward(node, incoming, response)
    await (fault ? fault({ response, forward, cleared: cleared.signal }) : forward())
  }
  const server = createServer((incoming, response) => void answer(incoming, response).catch(() => response.destroy()))
  server.keepAliveTimeout = keepAliveMs
  await once(server.listen(0, host), 'listening')
  const clear = () => {
    fault = undefined
    cleared.abort()
    cleared = new AbortController()
  }
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    inject(next) {
      clear()
      fault = next
    },
    clear,
    isFaulty: () => fault !== undefined,
    async [Symbol.asyncDispose]() {
      clear()
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

/** Answers a request instead of the node, or forwards it. */
export type RpcFault = (exchange: {
  readonly response: ServerResponse
  /** Sends the request to the node, and responds with the node's answer. */
  readonly forward: () => Promise<void>
  /** Aborts when the fault is cleared, so that delayed requests continue at once. */
  readonly cleared: AbortSignal
}) => void | Promise<void>

/** The proxy of one chain. */
export type FaultProxy = AsyncDisposable & {
  readonly url: string
  /** Applies a fault to every request, instead of the previous fault. */
  inject(fault: RpcFault): void
  /** Forwards every request again, including requests that a fault delays. */
  clear(): void
  isFaulty(): boolean
}

type Node = { readonly url: string; readonly depths: TagDepths }

/** Reads a request, and returns a function that forwards it. */
async function createForward({ url, depths }: Node, incoming: IncomingMessage, response: ServerResponse) {
  const body = new Uint8Array(await buffer(incoming))
  return async (): Promise<void> => {
    const headers = { 'content-type': incoming.headers['content-type'] ?? 'application/json' }
    const held = await holdTagsBack(body, { depths, readNewest: () => readNewest(url) })
    const answer = await fetch(url, { method: 'POST', headers, body: held })
    const type = answer.headers.get('content-type') ?? 'application/json'
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
  }
}

async function readNewest(url: string): Promise<bigint> {
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) })
  return await client.getBlockNumber({ cacheTime: 0 })
}

import { setTimeout as wait } from 'node:timers/promises'
import type { Network } from '@agio/core'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import { startForkOrigin, findForkOrigin } from './forkOrigin.ts'
import { host, keepAliveMs } from './assertPortFree.ts'
import { toNetworkName } from './localNetworks.ts'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createTestClient, http } from 'viem'

const stopWithinMs = 1000

/** Starts the node of one chain, which serves JSON-RPC over HTTP and WebSocket. */
export async function startNode(hre: HardhatRuntimeEnvironment, options: startNode.Options): Promise<LocalNode> {
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

export declare namespace startNode {
  type Options = {
    readonly chainId: Network.ChainId
    /** 0 takes any free port. */
    readonly port: number
    readonly blockIntervalMs: number
    /** The URL of the node to fork from. Without it, the chain is new. */
    readonly forkUrl?: string | undefined
  }
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
function trackSockets(port: number): Sockets {
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
    destroyAll() {
      unsubscribe(socketChannel, add)
      for (const socket of sockets) socket.destroy()
    },
  }
}

type Sockets = { destroyAll(): void }

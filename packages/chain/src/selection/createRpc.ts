import type { ChainId } from '@agio/core'
import { createPublicClient, custom } from 'viem'
import type { Head } from '../head/Head.ts'
import type { Connection } from '../transport/createConnection.ts'
import { createHttp } from '../transport/createHttp.ts'
import { createNode } from '../health/createNode.ts'
import { createReads } from './createReads.ts'
import { createSend } from './createSend.ts'
import { createSocket } from '../transport/createSocket.ts'
import type { Endpoint, Link } from '../transport/Link.ts'
import { toTryMs } from './toTryMs.ts'
import type { Node, NodeReport } from '../health/Node.ts'

/**
 * Opens a chain over its upstream nodes, in order of preference. Calls over HTTP that are made in the same tick travel as
 * one JSON-RPC batch; over a WebSocket they follow each other without waiting.
 *
 * Each try has 4 s, or less where all nodes could not have as much within the 10 s of a call.
 */
export function createRpc({ urls, random = Math.random, ...settings }: createRpc.Settings) {
  const nodes: Node[] = []
  const sockets: Node<Connection>[] = []
  const tryMs = toTryMs(urls.length)

  function toNode<OwnLink extends Link>(endpoint: Endpoint<OwnLink>): Node<OwnLink> {
    const position = nodes.length + 1
    const isOther = (node: Node) => node.position !== position && node.state() === 'healthy'
    const { chainId, findHead, onState } = settings
    const hasSubstitute = () => nodes.some(isOther)
    return createNode({ position, chainId, endpoint, hasSubstitute, findHead, onState, random })
  }
  for (const url of urls) {
    if (/^wss?:/i.test(url)) {
      const { openSocket = (url) => new WebSocket(url) } = settings
      const socket = toNode(createSocket({ url, timeoutMs: tryMs, openSocket }))
      sockets.push(socket)
      nodes.push(socket)
    } else {
      const { fetch = globalThis.fetch } = settings
      nodes.push(toNode(createHttp({ url, timeoutMs: tryMs, fetch })))
    }
  }
  const read = createReads({ nodes, random })
  return {
    /** Whatever changes nothing. */
    reads: createPublicClient({ transport: custom({ request: read }, { retryCount: 0 }) }),
    /** Hands a signed transaction to a node. */
    send: createSend(nodes),
    nodes: nodes as readonly Node[],
    /** Those of them that are reached by a WebSocket. */
    sockets: sockets as readonly Node<Connection>[],
  }
}

export declare namespace createRpc {
  type Settings = {
    readonly chainId: ChainId
    readonly urls: readonly string[]
    /** The `fetch` that carries the calls over HTTP; the runtime's own by default. */
    readonly fetch?: typeof globalThis.fetch | undefined
    /** Opens the WebSockets that carry the other calls; the runtime's own by default. */
    readonly openSocket?: ((url: string) => WebSocket) | undefined
    /** The newest block that is known. */
    readonly findHead: () => Head | undefined
    /** Hears what becomes of each node. */
    readonly onState: (report: NodeReport) => void
    /** From 0 to 1; `Math.random` by default. */
    readonly random?: (() => number) | undefined
  }
}

export type Rpc = ReturnType<typeof createRpc>

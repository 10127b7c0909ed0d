import { Client } from '@agio/core'
import { createPublicClient, custom, type CustomTransport, type PublicClient } from 'viem'
import type { Head } from '../head/Head.ts'
import { DoubtfulError } from '../errors/DoubtfulError.ts'
import type { Doubts, DoubtSubject } from '../health/createDoubts.ts'
import { createUpstreamNode } from '../health/createUpstreamNode.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { ProvenRead } from '../proof/ProvenRead.ts'
import type { Connection } from '../transport/createConnection.ts'
import { createHttpEndpoint } from '../transport/createHttpEndpoint.ts'
import { createSocketEndpoint } from '../transport/createSocketEndpoint.ts'
import type { Endpoint, NodeLink, ObserveNodeRequest, ObserveRequest, RpcRequest } from '../transport/NodeLink.ts'
import { createFailover, type Failover, attemptTimeoutMs } from './createFailover.ts'
import { createFailureCheck, type FailureCheck } from './createFailureCheck.ts'
import { createTransactionSender, type TransactionSender } from './createTransactionSender.ts'

/**
 * Connects to a chain over its upstream nodes, in order of preference. HTTP requests in the same tick form one JSON-RPC
 * batch. Requests over a WebSocket are sent without waiting for each other.
 *
 * Each attempt may take 4 s, or less if an attempt at every node would not fit into the 10 s of a request.
 */
export function createRpc({ urls, random = Math.random, verify = () => undefined, ...options }: createRpc.Options) {
  const nodes: UpstreamNode[] = []
  const sockets: UpstreamNode<Connection>[] = []
  const timeoutMs = options.nodeTimeoutMs ?? attemptTimeoutMs(urls.length)

  function toNode<Link extends NodeLink>(endpoint: Endpoint<Link>): UpstreamNode<Link> {
    const position = nodes.length + 1
    const isSubstitute = (node: UpstreamNode) => node.position !== position && isHealthy(node)
    const hasSubstitute = () => nodes.some(isSubstitute)
    return createUpstreamNode({ ...options, position, endpoint, hasSubstitute, random })
  }
  for (const [index, url] of urls.entries()) {
    const observe = toObserver(options.observeRequest, index + 1)
    if (/^wss?:/i.test(url)) {
      const { openSocket = (url) => new WebSocket(url) } = options
      const socket = toNode(createSocketEndpoint({ url, timeoutMs, openSocket, observe }))
      sockets.push(socket)
      nodes.push(socket)
    } else {
      const { fetch = globalThis.fetch } = options
      nodes.push(toNode(createHttpEndpoint({ url, timeoutMs, fetch, observe })))
    }
  }
  const failOverUnverified = createFailover({ nodes, random })
  const failOver: Failover = (method, attempt, client) => {
    const verifying = verify()
    if (!verifying) return failOverUnverified(method, attempt, client)
    return verifying.then(() => failOverUnverified(method, attempt, client))
  }
  const sender = createTransactionSender(nodes)
  const announcers = createAnnouncers()
  const checks = { doubts: options.doubts, checkFailure: createFailureCheck({ nodes, doubts: options.doubts }) }
  return {
    ...createReads(failOver, checks),
    /**
     * Creates the reads of a client. Once the client has disconnected, its reads end, and no further request is sent. A
     * pending request continues, because it may be part of a batch.
     */
    forClient(client: Client.Client): RpcReads {
      const { inSlot = (read) => read() } = client
      const failOverInSlot: Failover = (method, attempt) =>
        Client.untilAborted(
          inSlot(() => failOver(method, attempt, client)),
          client,
        )
      return createReads(failOverInSlot, checks)
    },
    /** Creates the reads of one node. */
    forNode: (node: UpstreamNode): RpcReads => createReads((_, attempt) => attempt(node, performance.now()), checks),
    /** Reads the newest block. */
    async readHead(): Promise<Head> {
      // Both form one batch, so that the verification does not delay the start.
      const [head] = await Promise.all([failOverUnverified(headMethod, announcers.readHead), verify()])
      return head
    },
    /** Reads the newest block from another node than the one that announced a block. @throws the error of the nodes */
    async readOtherHead(head: Head): Promise<Head> {
      const others = nodes.filter((node) => node !== announcers.find(head))
      return await createFailover({ nodes: others, random })(headMethod, announcers.readHead)
    },
    /** Finds and remembers which node announced a head. */
    announcers,
    ...sender,
    /** Sends a signed transaction. */
    send: async (signed: Parameters<TransactionSender['send']>[0]): Promise<void> => {
      await verify()
      await sender.send(signed)
    },
    nodes: nodes as readonly UpstreamNode[],
    /** The nodes that are connected by WebSocket. */
    sockets: sockets as readonly UpstreamNode<Connection>[],
    /** Returns the healthy nodes of `sockets`. Returns all `sockets` if no node is healthy, not even over HTTP. */
    listPreferredSockets: (): readonly UpstreamNode<Connection>[] =>
      nodes.some(isHealthy) ? sockets.filter(isHealthy) : sockets,
  }
}

export declare namespace createRpc {
  type Options = Omit<
    createUpstreamNode.Dependencies<NodeLink>,
    'position' | 'endpoint' | 'hasSubstitute' | 'random'
  > & {
    /** The nodes in order of preference: by HTTP, or by WebSocket. */
    readonly urls: readonly string[]
    /** The `fetch` for requests over HTTP; the runtime's `fetch` by default. */
    readonly fetch?: typeof globalThis.fetch | undefined
    /**
     * The time limit of an attempt at a node; by default 4,000 or less, so that an attempt at every node fits into 10 s, and
     * 1,000 for its vote on a head.
     */
    readonly nodeTimeoutMs?: number | undefined
    /** Opens the WebSockets; the runtime's `WebSocket` by default. */
    readonly openSocket?: ((url: string) => WebSocket) | undefined
    /** Observes each request to a node. */
    readonly observeRequest?: ObserveNodeRequest | undefined
    /** Receives the doubtful answers of the nodes. */
    readonly doubts: Pick<Doubts, 'add'>
    /** Verifies the contracts of the chain before it is used. Returns undefined once they are verified. */
    readonly verify?: (() => Promise<void> | undefined) | undefined
    /** From 0 to 1; `Math.random` by default. */
    readonly random?: (() => number) | undefined
  }
}

/** The JSON-RPC access to a chain, over all its nodes. */
export type Rpc = ReturnType<typeof createRpc>

type RpcReads = ReturnType<typeof createReads>

/** Creates the memory of which node announced a head, so that a head that no node can read is a fault of that node. */
function createAnnouncers() {
  // By object, because two nodes may announce one hash with different times.
  const nodes = new WeakMap<Head, UpstreamNode>()
  function remember(head: Head, node: UpstreamNode): Head {
    nodes.set(head, node)
    return head
  }
  return {
    /** Returns the node that announced a head. */
    find: (head: Head) => nodes.get(head),
    remember,
    /** Reads the newest block of a node, and remembers the node. @throws the errors of `UpstreamNode.readHead` */
    readHead: async (node: UpstreamNode, startedAtMs: number) => remember(await node.readHead(startedAtMs), node),
  }
}

/** Reads a chain. As an interface it has a name in declarations, which cannot name the private types of viem. */
export interface ChainClient extends PublicClient<CustomTransport> {}

type ReadDependencies = { readonly doubts: Pick<Doubts, 'add'>; readonly checkFailure: FailureCheck }

function createReads(failOver: Failover, { doubts, checkFailure }: ReadDependencies) {
  const request = (request: RpcRequest) =>
    failOver(request.method, async (node, startedAtMs) => {
      const result = await node.read({ request, startedAtMs })
      return request.method === receiptMethod ? await checkFailure(node, request, result) : result
    })
  const client: ChainClient = createPublicClient({
    transport: custom({ request }, { retryCount: 0 }),
  })
  return {
    /** Reads from the chain. */
    client,
    /** Makes a read that proves its chain. A result that the called code cannot have returned is the node's fault. */
    read: async <Value>(read: ProvenRead<Value>) =>
      await failOver(read.request.method, (node, startedAtMs) => node.readProven({ read, startedAtMs })),
    /**
     * Makes a read whose result is checked. After a `DoubtfulError` of the check, the next node is asked.
     *
     * @throws the `DoubtfulError` of the first node, if every other node fails or is doubtful too
     */
    async readChecked<Value>(request: RpcRequest, { subject, check }: CheckedRead<Value>): Promise<Value> {
      return await failOver(request.method, async (node, startedAtMs) => {
        const result = await node.read({ request, startedAtMs })
        try {
          return check(result)
        } catch (error) {
          if (error instanceof DoubtfulError) doubts.add({ subject, position: node.position })
          throw error
        }
      })
    },
  }
}

type CheckedRead<Value> = {
  readonly subject: DoubtSubject
  /** Returns the value of a result. @throws `DoubtfulError` for a value that is not plausible */
  readonly check: (result: unknown) => Value
}

const headMethod = 'eth_getBlockByNumber'
const receiptMethod = 'eth_getTransactionReceipt'

/** Returns the observer of the requests to the node at a position. */
function toObserver(observeRequest: ObserveNodeRequest | undefined, position: number): ObserveRequest | undefined {
  return observeRequest && (({ method }, send) => observeRequest({ position, method }, send))
}

function isHealthy(node: Pick<UpstreamNode, 'state'>): boolean {
  return node.state() === 'healthy'
}

import type { ErrorCode, ServiceError } from '@agio/core'
import type { Head } from '../head/Head.ts'
import type { ProvenRead } from '../proof/ProvenRead.ts'
import type { NodeLink, RpcRequest } from '../transport/NodeLink.ts'

/**
 * The state of a node, which decides whether the node is used. Healthy nodes are used first. Lagging nodes are used next.
 * Unproven nodes are used last, because they return results that our code cannot return, or announce blocks that no node
 * can read. Other nodes are not used.
 */
export type NodeState = 'healthy' | 'lagging' | 'unproven' | 'unavailable' | 'wrong-chain'

/** The state of a node, and the reason if the node is not healthy. */
export type NodeStatus = {
  readonly state: NodeState
  readonly failure?: ServiceError
  /** The chain that the node serves instead of ours. */
  readonly servedChainId?: number
}

/** A change of a node's state. */
export type NodeReport = {
  /** The node's place in the order of preference, from 1. */
  readonly position: number
  readonly state: NodeState
  /** The error that the node is ejected for. */
  readonly code?: ErrorCode | undefined
  /** The chain that the node serves instead of ours. */
  readonly servedChainId?: number | undefined
  /** The words of the JSON-RPC error for which the node is ejected. */
  readonly words?: string | undefined
}

/** A request, and when it was first sent to a node. */
export type TimedRequest = { readonly request: RpcRequest; readonly startedAtMs: number }

/** A proven read, and when it was first sent to a node. */
type TimedRead<Value> = { readonly read: ProvenRead<Value>; readonly startedAtMs: number }

/** The outcome of a head: why it is doubtful, if it is, and when its reads began. */
type HeadOutcome = { readonly doubt?: 'state' | 'chain'; readonly startedAtMs: number }

/** A node with its state and the requests that it takes. */
export type UpstreamNode<Link extends NodeLink = NodeLink> = {
  readonly position: number
  state(): NodeState
  /** Returns the error that the node is ejected for; undefined if it is healthy. */
  failure(): ServiceError | undefined
  /** Returns whether the node takes requests. */
  isUsable(): boolean
  /** Returns the result of a read. @throws the errors of the link, `svc/upstream-error` for a node of another chain */
  read(timed: TimedRequest): Promise<unknown>
  /** Returns the value of a read that proves its chain. @throws the errors of `read` */
  readProven<Value>(timed: TimedRead<Value>): Promise<Value>
  /** Reads the newest block, and verifies the chain again at intervals. @throws the errors of `read` */
  readHead(startedAtMs: number): Promise<Head>
  /** Returns the result of a request that must not reach another chain. @throws the errors of `read` */
  send(timed: TimedRequest): Promise<unknown>
  /** Runs work over a link whose chain is verified. @throws the errors of `read`, and the error of an ejected node */
  withLink<Result>(work: (link: Link, readHead: () => Promise<Head>) => Promise<Result>): Promise<Result>
  /** Records that another node, which was asked later, has answered a read before this node. */
  recordOvertaken(): void
  /**
   * Records whether nodes have the state of a head that this node announced. Other nodes are preferred after two heads in a
   * row without state, or one head that other nodes contradict.
   */
  recordHead(outcome: HeadOutcome): void
  /** Prefers other nodes until a probe finds that this node has caught up, and ends the subscription to its blocks. */
  setLagging(): void
  /** Closes the node's circuit and forgets its chain id. The node is used and verified at once. */
  resetCircuit(): void
  /** Stops the probing. Pending requests are answered. */
  stop(): void
}

import type { ErrorCode, ServiceError } from '@agio/core'
import type { Head } from '../head/Head.ts'
import type { ProvenRead } from '../proof/ProvenRead.ts'
import type { NodeLink, RpcRequest } from '../transport/NodeLink.ts'

/**
 * Whether a node is used: a healthy one is; a lagging one while none is healthy; and an unproven one, which answers what our
 * code cannot have returned, while there is neither.
 */
export type NodeState = 'healthy' | 'lagging' | 'unproven' | 'unavailable' | 'wrong-chain'

/** The state of a node, and what keeps it from being healthy. */
export type NodeStatus = {
  readonly state: NodeState
  readonly failure?: ServiceError
  /** The chain that it serves in place of ours. */
  readonly servedChainId?: number
}

/** A change of a node's state. */
export type NodeReport = {
  /** The node's place in the order of preference, from 1. */
  readonly position: number
  readonly state: NodeState
  /** The error that it is ejected for. */
  readonly code?: ErrorCode | undefined
  /** The chain that it serves in place of ours. */
  readonly servedChainId?: number | undefined
}

/** A request, and when it was first sent to a node. */
export type TimedRequest = { readonly request: RpcRequest; readonly startedAtMs: number }

/** A proven read, and when it was first sent to a node. */
type TimedRead<Value> = { readonly read: ProvenRead<Value>; readonly startedAtMs: number }

export type UpstreamNode<OwnLink extends NodeLink = NodeLink> = {
  readonly position: number
  state(): NodeState
  /** The error that it is ejected for; undefined if it is healthy. */
  failure(): ServiceError | undefined
  /** Whether it takes requests. */
  isUsable(): boolean
  /** The result of a read. @throws what its link throws, `svc/upstream-error` if it serves another chain */
  read(timed: TimedRequest): Promise<unknown>
  /** The value of a read that proves its chain. @throws what `read` throws */
  readProven<Value>(timed: TimedRead<Value>): Promise<Value>
  /** The newest block. Verifies the chain again from time to time, and if the block does not follow the known ones. @throws what `read` throws */
  readHead(startedAtMs: number): Promise<Head>
  /** The result of a request that must not reach another chain. @throws what `read` throws */
  send(timed: TimedRequest): Promise<unknown>
  /**
   * Runs work over a link whose chain is verified, with a `readHead` over the same link.
   *
   * @throws what `read` throws, and the error that it is ejected for
   */
  withLink<Result>(work: (link: OwnLink, readHead: () => Promise<Head>) => Promise<Result>): Promise<Result>
  /** Prefers other nodes until a probe finds that it has caught up, and ends the subscription to its blocks. */
  setLagging(): void
  /** Closes its circuit and forgets its chain id: it is used and verified at once. */
  resetCircuit(): void
  /** Ends the probing. Pending requests are still answered. */
  stop(): void
}

import type { ErrorCode, ServiceError } from '@agio/core'
import type { NodeLink, RpcRequest } from '../transport/NodeLink.ts'

/** Whether a node is used: a healthy one is, and a lagging one while none is healthy. */
export type NodeState = 'healthy' | 'lagging' | 'unavailable' | 'wrong-chain'

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

export type UpstreamNode<OwnLink extends NodeLink = NodeLink> = {
  readonly position: number
  state(): NodeState
  /** The error that it is ejected for; undefined if it is healthy. */
  failure(): ServiceError | undefined
  /** Whether it takes requests. */
  isUsable(): boolean
  /** The result of a read. @throws what its link throws, `svc/upstream-error` if it serves another chain */
  read(timed: TimedRequest): Promise<unknown>
  /** The result of a request that must not reach another chain. @throws what `read` throws */
  send(timed: TimedRequest): Promise<unknown>
  /** Runs work over a link whose chain is verified. @throws what `read` throws, and the error that it is ejected for */
  withLink<Result>(work: (link: OwnLink) => Promise<Result>): Promise<Result>
  /** Closes its circuit and forgets its chain id: it is used and verified at once. */
  resetCircuit(): void
  /** Ends the probing. Pending requests are still answered. */
  stop(): void
}

import type { ErrorCode, ServiceError } from '@agio/core'
import type { Body, Link } from '../transport/Link.ts'

/** Whether a node is asked: it is if it is well, and while none is well if it lags behind. */
export type NodeState = 'healthy' | 'lagging' | 'unavailable' | 'wrong-chain'

/** What a node has become. */
export type NodeReport = {
  /** Its place in the order of preference, from 1. */
  readonly position: number
  readonly state: NodeState
  /** The failure that it is left alone for. */
  readonly code?: ErrorCode | undefined
  /** The chain that it serves in place of ours. */
  readonly servedChainId?: number | undefined
}

/** A call, and when it was first asked of a node. */
export type Call = { readonly body: Body; readonly startedAtMs: number }

export type Node<OwnLink extends Link = Link> = {
  readonly position: number
  state(): NodeState
  /** What it is left alone for; none if it is well. */
  failure(): ServiceError | undefined
  /** Whether it may be asked. */
  isUsable(): boolean
  /** What it answers to a read. @throws what its link throws, `svc/upstream-error` if it serves another chain */
  ask(call: Call): Promise<unknown>
  /** What it answers to a call that must not reach another chain. @throws what `ask` throws */
  send(call: Call): Promise<unknown>
  /** Works over a link whose chain is confirmed. @throws what `ask` throws, and what it is left alone for */
  workOver<Result>(work: (link: OwnLink) => Promise<Result>): Promise<Result>
  /** Is as if it had just been named: asked at once, its chain id too. */
  resetCircuit(): void
  /** Ends the probing. What is asked is still answered. */
  stop(): void
}

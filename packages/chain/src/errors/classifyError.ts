import { OtherBlockError, UnprovenError } from '../proof/ProvenRead.ts'
import { OversizedError } from '../transport/answerBounds.ts'
import { DoubtfulError } from './DoubtfulError.ts'
import { findCause, findRpcError, type Cause } from './findCause.ts'
import { findRevertData } from './findRevertData.ts'
import { toUpstreamError } from './toUpstreamError.ts'

/** The causes and consequences of a failed request, for the call and for the node. */
export type ErrorClass = {
  /** The node answers in JSON-RPC, and does not report a rate limit. */
  readonly isAnswer: boolean
  /** The error is the answer to an executed call: every node would return it. */
  readonly isCallError: boolean
  /** The node is at fault. */
  readonly isFault: boolean
  readonly isTimeout: boolean
  /** The response was beyond a bound of its size. */
  readonly isOversized: boolean
  /** The same node may succeed a moment later. */
  readonly isTransient: boolean
  /** The node reports that it lacks a block or its state. Another node may have it. */
  readonly lacksState: boolean
  /** The execution needs more gas than the node grants. */
  readonly lacksGas: boolean
}

// The causes that lie in an executed call or transaction: every node would return them.
const executionCauses: ReadonlySet<Cause> = new Set(['reverted', 'gas', 'execution', 'funds', 'intrinsic-gas'])

// The codes of geth and of Nethermind for a call that reverts.
const executionCodes = new Set([3, -32015])

const internalError = -32603
// EIP-1474: the node does not have the method, or does not accept a parameter.
const requestErrors = new Set([-32601, -32602])

// Only these methods execute a call or a transaction. The caller's input may cause their errors, which must not eject the
// node for all other callers.
const executingMethods = new Set(['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction'])

/**
 * Classifies a failed request: whether the error is about the call or the node, and whether the node is at fault.
 *
 * An error of an unknown cause, or of a block or a method that the node lacks, is never about the call. The node is healthy,
 * and another node may answer. A revert in response to a method that executes nothing is a fault of the node.
 */
export function classifyError(error: unknown, method: string): ErrorClass {
  if (error instanceof UnprovenError) return classifyUnproven(error, method)
  if (error instanceof OtherBlockError) return { ...ofNode, isAnswer: true, lacksState: true }
  const { code } = toUpstreamError(error)
  if (error instanceof DoubtfulError) return { ...ofNode, isAnswer: true }
  if (error instanceof OversizedError) return { ...ofNode, isFault: true, isOversized: true }
  const answer = findRpcError(error)
  const isTimeout = code === 'svc/upstream-timeout'
  if (!answer) return { ...ofNode, isFault: true, isTimeout, isTransient: !isTimeout }
  const isExecuting = executingMethods.has(method)
  const cause = findCause(error)
  const isReverted = executionCodes.has(answer.code) || findRevertData(error) !== undefined
  const isOfExecution = isReverted || (cause !== undefined && executionCauses.has(cause))
  if (isExecuting && isOfExecution) return { ...ofNode, isAnswer: true, isCallError: true, lacksGas: cause === 'gas' }
  const isInternal = answer.code === internalError
  const isRateLimited = cause === 'rate'
  const lacksState = cause === 'state'
  return {
    ...ofNode,
    isAnswer: !isRateLimited,
    isFault: isRateLimited || (!isExecuting && (isInternal || isOfExecution)),
    isTransient: lacksState || !requestErrors.has(answer.code),
    lacksState,
  }
}

/** Why a node failed to answer a request. `error` is an error of the node, or a response that is not JSON-RPC. */
export type NodeFailure = (typeof nodeFailures)[number]

/** All reasons why a node fails to answer a request. */
export const nodeFailures = ['timeout', 'unavailable', 'error'] as const

/** Returns why a node failed to answer a request; undefined if the error is the answer to an executed call. */
export function findNodeFailure(error: unknown, method: string): NodeFailure | undefined {
  if (classifyError(error, method).isCallError) return undefined
  const { code } = toUpstreamError(error)
  if (code === 'svc/upstream-timeout') return 'timeout'
  return code === 'svc/upstream-unavailable' ? 'unavailable' : 'error'
}

const ofNode: ErrorClass = {
  isAnswer: false,
  isCallError: false,
  isFault: false,
  isTimeout: false,
  isOversized: false,
  isTransient: false,
  lacksState: false,
  lacksGas: false,
}

/**
 * Classifies an unproven result. A contract that the call reads may use up the gas, so a lack of gas is not a fault of
 * the node. Another node may grant more gas.
 */
function classifyUnproven({ cause }: UnprovenError, method: string): ErrorClass {
  const { lacksGas } = classifyError(cause, method)
  return { ...ofNode, isFault: !lacksGas, isTransient: !lacksGas, lacksGas }
}

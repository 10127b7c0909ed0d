import { BaseError, RpcRequestError, TimeoutError } from 'viem'
import { UnprovenError } from '../proof/ProvenRead.ts'
import { OversizedError } from '../transport/answerBounds.ts'
import { DoubtfulError } from './DoubtfulError.ts'
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

// The codes of a revert, of a rejected transaction (EIP-1474), and of Nethermind's rejected transaction and failed
// execution.
const executionCodes = new Set([3, -32003, -32010, -32015])

const internalError = -32603

// geth reports these errors with code -32000, which also reports missing data.
const executionMessage =
  /out of gas|gas required exceeds|insufficient funds|insufficient balance|invalid opcode|invalid jump|stack (under|over)flow|intrinsic gas|gas uint64 overflow/i

const gasMessage = /out ?of ?gas|gas required exceeds/i

// Another node may have the block, with any error code.
const blockMessage = /block|header|state(?! override)/i

// Only these methods execute a call or a transaction. The caller's input may cause their errors, which must not eject the
// node for all other callers.
const executingMethods = new Set(['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction'])

/**
 * Classifies a failed request: whether the error is about the call or the node, and whether the node is at fault.
 *
 * A node that reports in JSON-RPC that it lacks a block or a method, or that does not accept a parameter, is healthy.
 * Another node may have it. A revert in response to a method that executes nothing is a fault of the node.
 */
export function classifyError(error: unknown, method: string): ErrorClass {
  if (error instanceof UnprovenError) return classifyUnproven(error, method)
  const { code } = toUpstreamError(error)
  if (error instanceof DoubtfulError) return { ...ofNode, isAnswer: true }
  if (error instanceof OversizedError) return { ...ofNode, isFault: true, isOversized: true }
  const answer = findRpcError(error)
  const isTimeout = code === 'svc/upstream-timeout'
  if (!answer) return { ...ofNode, isFault: true, isTimeout, isTransient: !isTimeout }
  const isExecuting = executingMethods.has(method)
  const isOfExecution = isExecutionError(error, answer)
  if (isExecuting && isOfExecution) {
    return { ...ofNode, isAnswer: true, isCallError: true, lacksGas: gasMessage.test(answer.details) }
  }
  const isInternal = answer.code === internalError
  const isRateLimited = code === 'svc/upstream-unavailable'
  return {
    ...ofNode,
    isAnswer: !isRateLimited,
    isFault: isRateLimited || (!isExecuting && (isInternal || isOfExecution)),
    isTransient: isRateLimited || isInternal,
    lacksState: !isRateLimited && blockMessage.test(answer.details),
  }
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

/** Returns whether an error reports a revert, a failed execution or a rejected transaction. */
function isExecutionError(error: unknown, { code, details }: RpcRequestError): boolean {
  return findRevertData(error) !== undefined || executionCodes.has(code) || executionMessage.test(details)
}

/** Returns the JSON-RPC error that a node returned; undefined if the node did not answer, or not in JSON-RPC. */
function findRpcError(error: unknown): RpcRequestError | undefined {
  if (!(error instanceof BaseError) || error.walk((cause) => cause instanceof TimeoutError)) return undefined
  const found = error.walk((cause) => cause instanceof RpcRequestError)
  return found instanceof RpcRequestError ? found : undefined
}

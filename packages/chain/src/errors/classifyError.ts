import { BaseError, RpcRequestError, TimeoutError } from 'viem'
import { UnprovenError } from '../proof/ProvenRead.ts'
import { findRevertData } from './findRevertData.ts'
import { toUpstreamError } from './toUpstreamError.ts'

/** Whether the call or the node caused the failure of a request. */
export type ErrorClass = {
  /** The node answers in JSON-RPC, and not that it limits our rate. */
  readonly isAnswer: boolean
  /** The error answers the call: every node would return it. */
  readonly isCallError: boolean
  /** The node itself is at fault. */
  readonly isFault: boolean
  readonly isTimeout: boolean
  /** The same node may succeed a moment later. */
  readonly isTransient: boolean
  /** The node answers that it lacks a block or its state, which another node may have. */
  readonly lacksState: boolean
  /** The execution needs more gas than the node grants. */
  readonly lacksGas: boolean
}

// A revert, EIP-1474's rejected transaction, Nethermind's rejected transaction and failed execution.
const callErrorCodes = new Set([3, -32003, -32010, -32015])

const [invalidParams, internalError] = [-32602, -32603]

// geth reports these under -32000, which is also its code for data that it lacks.
const executionMessage =
  /out of gas|gas required exceeds|insufficient funds|insufficient balance|invalid opcode|invalid jump|stack (under|over)flow|intrinsic gas|gas uint64 overflow/i

const gasMessage = /out ?of ?gas|gas required exceeds/i

// Another node may have the block, whatever the error code.
const blockMessage = /block|header|state(?! override)/i

// The caller's own input may cause an internal error here: it must not eject the node for every other caller.
const executingMethods = new Set(['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction'])

/**
 * Classifies a failed request: whether the error is about the call or the node, and whether the node is at fault.
 *
 * A node that answers in JSON-RPC that it lacks a block or a method is healthy; another node may have it.
 */
export function classifyError(error: unknown, method: string): ErrorClass {
  if (error instanceof UnprovenError) return classifyUnproven(error, method)
  const { code } = toUpstreamError(error)
  const answer = findRpcError(error)
  const isTimeout = code === 'svc/upstream-timeout'
  if (!answer) return { ...ofNode, isFault: true, isTimeout, isTransient: !isTimeout }
  const lacksGas = gasMessage.test(answer.details)
  if (isCallError(error, answer)) return { ...ofNode, isAnswer: true, isCallError: true, lacksGas }
  const isInternal = answer.code === internalError
  const isRateLimited = code === 'svc/upstream-unavailable'
  return {
    ...ofNode,
    isAnswer: !isRateLimited,
    isFault: isRateLimited || (isInternal && !executingMethods.has(method)),
    isTransient: isRateLimited || isInternal,
    lacksState: !isRateLimited && blockMessage.test(answer.details),
  }
}

const ofNode: ErrorClass = {
  isAnswer: false,
  isCallError: false,
  isFault: false,
  isTimeout: false,
  isTransient: false,
  lacksState: false,
  lacksGas: false,
}

/** A lack of gas may be due to the contracts that are read, so that it is no fault of the node; another may grant more. */
function classifyUnproven({ cause }: UnprovenError, method: string): ErrorClass {
  const { lacksGas } = classifyError(cause, method)
  return { ...ofNode, isFault: !lacksGas, isTransient: !lacksGas, lacksGas }
}

function isCallError(error: unknown, { code, details }: RpcRequestError): boolean {
  if (findRevertData(error) !== undefined || callErrorCodes.has(code)) return true
  if (code === invalidParams) return !blockMessage.test(details)
  return executionMessage.test(details)
}

/** The JSON-RPC error that a node returned; undefined if it did not answer, or not in JSON-RPC. */
function findRpcError(error: unknown): RpcRequestError | undefined {
  if (!(error instanceof BaseError) || error.walk((cause) => cause instanceof TimeoutError)) return undefined
  const found = error.walk((cause) => cause instanceof RpcRequestError)
  return found instanceof RpcRequestError ? found : undefined
}

import { BaseError, RpcRequestError, TimeoutError } from 'viem'
import { findRevertData } from './findRevertData.ts'
import { toUpstreamError } from './toUpstreamError.ts'

/** What a failed call says. */
export type Judgement = {
  /** It is an answer to what was asked, which every node would give. */
  readonly isAboutCall: boolean
  /** The node itself is not well. */
  readonly isFault: boolean
  readonly isTimeout: boolean
  /** The same node may answer it a moment later. */
  readonly isPassing: boolean
}

// A revert, EIP-1474's rejected transaction, Nethermind's rejected transaction and failed execution.
const callCodes = new Set([3, -32003, -32010, -32015])

const [invalidParams, internalError] = [-32602, -32603]

// geth says all of this under -32000, which is also its code for what it lacks.
const executionWords =
  /out of gas|gas required exceeds|insufficient funds|insufficient balance|invalid opcode|invalid jump|stack (under|over)flow|intrinsic gas|gas uint64 overflow/i

// A block that one node does not have, another may have, whatever the code.
const blockWords = /block|header|state/i

// What a caller of ours has written may be what the node stumbles over: it must not take the node from all others.
const running = new Set(['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction'])

/**
 * Judges what a node's failed answer to a method is about: the call, or the node, and whether the node is to blame.
 *
 * A node that answers in JSON-RPC that it lacks a block or a method is well; another one may have it.
 */
export function judgeError(error: unknown, method: string): Judgement {
  const { code } = toUpstreamError(error)
  const answer = findAnswer(error)
  const isTimeout = code === 'svc/upstream-timeout'
  if (!answer) return { isAboutCall: false, isFault: true, isTimeout, isPassing: !isTimeout }
  if (isAboutCall(error, answer)) return { isAboutCall: true, isFault: false, isTimeout: false, isPassing: false }
  const isInternal = answer.code === internalError
  const isLimited = code === 'svc/upstream-unavailable'
  return {
    isAboutCall: false,
    isFault: isLimited || (isInternal && !running.has(method)),
    isTimeout: false,
    isPassing: isLimited || isInternal,
  }
}

function isAboutCall(error: unknown, { code, details }: RpcRequestError): boolean {
  if (findRevertData(error) !== undefined || callCodes.has(code)) return true
  if (code === invalidParams) return !blockWords.test(details)
  return executionWords.test(details)
}

/** The JSON-RPC error that a node has answered with; none if it has not answered, or not in JSON-RPC. */
function findAnswer(error: unknown): RpcRequestError | undefined {
  if (!(error instanceof BaseError) || error.walk((cause) => cause instanceof TimeoutError)) return undefined
  const found = error.walk((cause) => cause instanceof RpcRequestError)
  return found instanceof RpcRequestError ? found : undefined
}

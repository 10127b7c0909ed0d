import { Errors, type ServiceError } from '@agio/core'
import type { Hex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { selectNodes, requestTimeoutMs } from './createFailover.ts'

/**
 * Creates a function that sends a signed transaction to the first node that takes it, and never twice to the same node.
 *
 * After a failure or a rejection, the sender looks up the transaction's hash at the next node. If the node has the
 * transaction, it counts as sent. Otherwise the sender sends it to that node. The bytes are the same at every node, so the
 * transaction is mined only once. After a rejection, only healthy nodes are asked.
 *
 * The time limit for all attempts together is ten seconds.
 */
export function createTransactionSender(nodes: readonly UpstreamNode[]): (signed: Signed) => Promise<void> {
  return async ({ serialized, hash }) => {
    const startedAtMs = performance.now()
    const inTime = <Result>(pending: Promise<Result>) =>
      withTimeout(pending, startedAtMs + requestTimeoutMs - performance.now())
    const toTimed = (method: string, parameter: Hex) => ({ request: { method, params: [parameter] }, startedAtMs })
    const hasTransaction = async (node: UpstreamNode) => {
      const found = await inTime(node.read(toTimed('eth_getTransactionByHash', hash)))
      return (found as { readonly hash?: unknown } | null)?.hash === hash
    }
    const sendTo = (node: UpstreamNode) => inTime(node.send(toTimed('eth_sendRawTransaction', serialized)))

    const usable = selectNodes(nodes)
    const failure = await sendInTurn(usable, { sendTo, hasTransaction })
    if (failure && !(await anyHasTransaction(usable, hasTransaction))) throw failure.error
  }
}

type Signed = { readonly serialized: Hex; readonly hash: Hex }

type SendOperations = {
  readonly sendTo: (node: UpstreamNode) => Promise<unknown>
  readonly hasTransaction: (node: UpstreamNode) => Promise<boolean>
}

type Failure = { readonly error: unknown }

/**
 * Returns undefined once the transaction is sent. Otherwise returns the error of the first node that rejected the
 * transaction, or else the first error.
 */
async function sendInTurn(
  nodes: readonly UpstreamNode[],
  { sendTo, hasTransaction }: SendOperations,
): Promise<Failure | undefined> {
  let [failure, rejection]: (Failure | undefined)[] = []
  for (const node of nodes) {
    // A lagging node may take a transaction whose nonce is already used.
    if (rejection && node.state() !== 'healthy') continue
    const isKnown = (failure ?? rejection) && (await hasTransaction(node).catch(() => 'unknown'))
    if (isKnown === true) return undefined
    if (isKnown === 'unknown') continue
    try {
      await sendTo(node)
      return undefined
    } catch (error) {
      // A node may reject a transaction and broadcast it later.
      if (isRejection(error)) rejection ??= { error }
      else failure ??= { error }
    }
  }
  return rejection ?? failure
}

/** Returns whether one of the nodes has the transaction. @throws `svc/upstream-*` if no node answers */
async function anyHasTransaction(
  nodes: readonly UpstreamNode[],
  isKnownTo: SendOperations['hasTransaction'],
): Promise<boolean> {
  let answers = 0
  let failure: unknown
  for (const node of nodes) {
    try {
      if (await isKnownTo(node)) return true
      answers += 1
    } catch (error) {
      failure ??= error
    }
  }
  return answers > 0 ? false : rethrowUpstream(failure)
}

// The code that geth and Hardhat return for every rejected transaction.
const rejectedCode = -32_000

// Nodes return the code of a rejection for this too. Another node may take the transaction.
const fullPool = /pool is full|pool full/i

/** Returns whether a node takes no further transactions for now, which says nothing about this one. */
export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && fullPool.test(error.message)
}

function isRejection(error: unknown): boolean {
  if (isPoolFull(error)) return false
  const { isCallError } = classifyError(error, 'eth_sendRawTransaction')
  return isCallError || (error as { readonly code?: unknown } | null)?.code === rejectedCode
}

async function withTimeout<Result>(pending: Promise<Result>, timeoutMs: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(toTimeoutError()), Math.max(0, timeoutMs))
  try {
    return await Promise.race([pending, late])
  } finally {
    clearTimeout(timer)
  }
}

function toTimeoutError(): ServiceError {
  return Errors.upstreamTimeout({ action: 'send the transaction', reason: 'the nodes did not answer in time' })
}

import { Async, Errors } from '@agio/core'
import { BaseError, HttpRequestError, SocketClosedError, type Hex } from 'viem'
import { findCause, type Cause } from '../errors/findCause.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { selectNodes, requestTimeoutMs } from './createFailover.ts'

/**
 * Creates the sender of signed transactions. `send` sends a transaction to the first node that takes it, and to each node at
 * most once. If no node has the transaction because a connection closed, it is sent once more.
 *
 * After a failure or a rejection, the sender looks up the transaction's hash at the next node. If the node has the
 * transaction, it counts as sent. Otherwise the sender sends it to that node. The bytes are the same at every node, so the
 * transaction is mined only once. After a rejection, only healthy nodes are asked. A rejection counts only if no node left
 * the outcome unknown, since a node may have passed on a transaction before it failed.
 *
 * The time limit for all attempts together is ten seconds.
 */
export function createTransactionSender(nodes: readonly UpstreamNode[]) {
  const takers = new WeakMap<Signed, UpstreamNode>()
  const uncertain = new WeakSet<Signed>()

  async function send(signed: Signed): Promise<void> {
    using operations = createOperations(signed)
    const usable = selectNodes(nodes)
    const sent = await sendAndFind(usable, operations)
    if ('taker' in sent) return void takers.set(signed, sent.taker)
    if (!isClosed(sent.error)) throw sent.error
    const repeated = await sendAndFind(usable, operations).catch(() => sent)
    if ('error' in repeated) throw sent.error
    takers.set(signed, repeated.taker)
  }
  return {
    /** Sends a transaction to the first node that takes it. @throws the errors of the nodes, `svc/upstream-*` */
    async send(signed: Signed): Promise<void> {
      await send(signed).catch((error: unknown) => {
        if (judge(error) === 'unknown') uncertain.add(signed)
        throw error
      })
    },
    /** Returns whether the outcome of `send` is unknown: a node may have passed the transaction on. */
    isUncertain: (signed: Signed) => uncertain.has(signed),
    /**
     * Sends a transaction that was sent before once more, to a healthy node other than the one that took it. Without such a
     * node nothing is sent. A rejection counts only if neither of the two nodes has the transaction.
     *
     * @throws the errors of the nodes
     */
    async resend(signed: Signed): Promise<void> {
      const taker = takers.get(signed)
      const other = nodes.find((node) => node !== taker && node.state() === 'healthy')
      if (!taker || !other) return
      using operations = createOperations(signed)
      const { sendTo, hasTransaction } = operations
      try {
        await sendTo(other)
      } catch (error) {
        const judged = judge(error)
        if (judged === 'taken') return
        if (judged !== 'rejected') throw error
        // The transaction itself may have used its nonce, and one of the nodes may not have it yet.
        for (const node of [other, taker]) if (await hasTransaction(node)) return
        throw error
      }
    },
    /** Returns whether a node has a transaction. @throws `svc/upstream-*` if no node answers */
    async has(signed: Signed): Promise<boolean> {
      using operations = createOperations(signed)
      const taker = await findWithTransaction(selectNodes(nodes), operations.hasTransaction)
      if (taker) takers.set(signed, taker)
      return taker !== undefined
    },
  }
}

/** Sends signed transactions. */
export type TransactionSender = ReturnType<typeof createTransactionSender>

type Signed = { readonly serialized: Hex; readonly hash: Hex }

type SendOperations = ReturnType<typeof createOperations>

/** Creates the operations on one transaction. They have ten seconds together, in which a standstill of the process does not count. */
function createOperations({ serialized, hash }: Signed) {
  const startedAtMs = performance.now()
  const { promise: late, reject } = Promise.withResolvers<never>()
  late.catch(() => {})
  const cancel = Async.startTimeLimit(requestTimeoutMs, () =>
    reject(Errors.upstreamTimeout({ action: 'send the transaction', reason: 'the nodes did not answer in time' })),
  )
  const inTime = <Result>(pending: Promise<Result>) => Promise.race([pending, late])
  const toTimed = (method: string, parameter: Hex) => ({ request: { method, params: [parameter] }, startedAtMs })
  return {
    sendTo: (node: UpstreamNode) => inTime(node.send(toTimed('eth_sendRawTransaction', serialized))),
    async hasTransaction(node: UpstreamNode): Promise<boolean> {
      const found = await inTime(node.read(toTimed('eth_getTransactionByHash', hash)))
      return (found as { readonly hash?: unknown } | null)?.hash === hash
    },
    [Symbol.dispose]: cancel,
  }
}

type Failure = { readonly error: unknown }

type Sent = Failure | { readonly taker: UpstreamNode }

/** Sends a transaction, and looks it up after a failure. Returns the node that has it, or the error. */
async function sendAndFind(nodes: readonly UpstreamNode[], operations: SendOperations): Promise<Sent> {
  const sent = await sendInTurn(nodes, operations)
  if ('taker' in sent) return sent
  const taker = await findWithTransaction(nodes, operations.hasTransaction)
  return taker ? { taker } : sent
}

/**
 * Returns the node that has the transaction once it is sent. Otherwise returns the first error that leaves the outcome
 * unknown, or else the first rejection.
 */
async function sendInTurn(nodes: readonly UpstreamNode[], { sendTo, hasTransaction }: SendOperations): Promise<Sent> {
  const failures: Partial<Record<Judgement, Failure>> = {}
  for (const node of nodes) {
    // A lagging node may take a transaction whose nonce is already used.
    if (failures.rejected && node.state() !== 'healthy') continue
    const isFirst = Object.keys(failures).length === 0
    const isKnown = !isFirst && (await hasTransaction(node).catch(() => 'unknown'))
    if (isKnown === true) return { taker: node }
    if (isKnown === 'unknown') continue
    try {
      await sendTo(node)
      return { taker: node }
    } catch (error) {
      const judged = judge(error)
      if (judged === 'taken') return { taker: node }
      // A node may reject a transaction and broadcast it later.
      failures[judged] ??= { error }
    }
  }
  const { unknown, rejected, busy } = failures
  return unknown ?? rejected ?? busy ?? { error: new Error('Cannot send a transaction: no node is configured') }
}

/** Returns the first node that has the transaction. @throws `svc/upstream-*` if no node answers */
async function findWithTransaction(
  nodes: readonly UpstreamNode[],
  isKnownTo: SendOperations['hasTransaction'],
): Promise<UpstreamNode | undefined> {
  let answers = 0
  let failure: unknown
  for (const node of nodes) {
    try {
      if (await isKnownTo(node)) return node
      answers += 1
    } catch (error) {
      failure ??= error
    }
  }
  return answers > 0 ? undefined : rethrowUpstream(failure)
}

/**
 * What a failed send means. The node has the transaction, or rejects it for a known reason, or does not take it now.
 * Otherwise the outcome is unknown: the node may have passed the transaction on.
 */
type Judgement = 'taken' | 'rejected' | 'busy' | 'unknown'

// A node that mines a transaction at once says that it ran out of gas.
const unknownCauses: ReadonlySet<Cause | undefined> = new Set([undefined, 'state', 'gas'])
const busyStatuses = new Set([429, 503])

function judge(error: unknown): Judgement {
  const cause = findCause(error)
  if (cause === 'known') return 'taken'
  const http = error instanceof BaseError && error.walk((each) => each instanceof HttpRequestError)
  const isBusy = http instanceof HttpRequestError && busyStatuses.has(http.status ?? 0)
  if (isBusy || cause === 'rate' || cause === 'delegated') return 'busy'
  return unknownCauses.has(cause) ? 'unknown' : 'rejected'
}

/** Returns whether a connection closed before the response. A node closes idle connections, and then never gets what was sent. */
function isClosed(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk((each) => each instanceof HttpRequestError || each instanceof SocketClosedError)
  if (cause instanceof HttpRequestError) return cause.status === undefined && !(cause.cause instanceof SyntaxError)
  return cause !== null
}

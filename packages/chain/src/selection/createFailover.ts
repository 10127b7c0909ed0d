import { Async, Client } from '@agio/core'
import { classifyError, type ErrorClass } from '../errors/classifyError.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { usableStates } from '../health/createNodeCircuit.ts'

/**
 * Creates a function that reads from nodes in order of preference. After an error of a node, the read goes to the next
 * node at once. An error about the call itself is thrown without another attempt. If a node has not answered after
 * `slowMs`, the read also goes to the next healthy node, and the first answer counts.
 *
 * If no node could answer, the read goes once more to the nodes whose error was transient, after a delay with jitter. A
 * node that timed out is not read again. So a read takes at most ten seconds and two requests per node. In addition, the
 * chain id is requested in parallel over each new link and after a fault.
 */
export function createFailover({ nodes, random }: createFailover.Dependencies): Failover {
  const attemptMs = attemptTimeoutMs(nodes.length)
  const delayRetry = createRetryDelay(random)
  return async (method, attempt, client) => {
    const startedAtMs = performance.now()
    const attemptAt = (node: UpstreamNode) => attempt(node, startedAtMs)
    let isLate = false
    const cancel = Async.startTimeLimit(requestTimeoutMs - attemptMs, () => (isLate = true))
    try {
      const first = await readInTurn(selectNodes(nodes), { method, attemptAt, client })
      if ('answer' in first) return first.answer()
      const retried = first.failures
        .filter(({ node, errorClass }) => errorClass.isTransient && node.isUsable())
        .map(({ node }) => node)
      if (retried.length > 0) await delayRetry()
      const second = await readInTurn(retried, { method, attemptAt, client, isLate: () => isLate })
      if ('answer' in second) return second.answer()
      throw selectError([...first.failures, ...second.failures])
    } finally {
      cancel()
    }
  }
}

export declare namespace createFailover {
  type Dependencies = {
    readonly nodes: readonly UpstreamNode[]
    readonly random: () => number
  }
}

/**
 * Reads from one node after another until a node answers.
 *
 * @param method the JSON-RPC method, which decides how errors are classified
 * @param attempt reads from one node; `startedAtMs` is when the first attempt began
 * @param client the client of the read. After it has disconnected, no further attempt is made
 */
export type Failover = <Result>(
  method: string,
  attempt: (node: UpstreamNode, startedAtMs: number) => Promise<Result>,
  client?: Client.Client,
) => Promise<Result>

type Attempts<Result> = {
  readonly method: string
  readonly attemptAt: (node: UpstreamNode) => Promise<Result>
  readonly client: Client.Client | undefined
  /** Returns whether no further attempt would fit into the limit of the request. A standstill of the process does not count. */
  readonly isLate?: () => boolean
}

type Failure = { readonly node: UpstreamNode; readonly error: unknown; readonly errorClass: ErrorClass }

/** `answer` returns the result, or throws an error about the call itself. */
type Outcome<Result> = { readonly answer: () => Result } | { readonly failures: readonly Failure[] }

// A read of one node rarely takes a second, and `/health` shows a fault within two.
const slowMs = 1500

async function readInTurn<Result>(
  nodes: readonly UpstreamNode[],
  attempts: Attempts<Result>,
): Promise<Outcome<Result>> {
  const { client, isLate = () => false } = attempts
  Client.assertConnected(client)
  // The node may have been ejected since the selection.
  const [node, ...others] = isLate() ? [] : nodes.filter((each) => each.isUsable())
  if (!node) return { failures: [] }
  const substitutes = others.filter((other) => other.state() === 'healthy')
  const attempt = readFrom(node, attempts)
  const prompt = substitutes.length > 0 ? await Async.waitAtMost(slowMs, attempt) : await attempt
  const outcome = prompt ?? (await overtake(node, attempt, readInTurn(substitutes, attempts)))
  if ('answer' in outcome) return outcome
  const rest = prompt ? others : others.filter((other) => !substitutes.includes(other))
  const later = await readInTurn(rest, attempts)
  return 'answer' in later ? later : { failures: [...outcome.failures, ...later.failures] }
}

async function readFrom<Result>(
  node: UpstreamNode,
  { method, attemptAt, client }: Attempts<Result>,
): Promise<Outcome<Result>> {
  try {
    const result = await attemptAt(node)
    client?.addNode?.(node.position)
    return { answer: () => result }
  } catch (error) {
    const errorClass = classifyError(error, method)
    if (!errorClass.isCallError) return { failures: [{ node, error, errorClass }] }
    return {
      answer() {
        throw error
      },
    }
  }
}

/**
 * Returns the first answer of a slow node and its substitutes, or the failures of all. A slow node that a substitute
 * overtakes has a fault: the substitute was asked later, and a stall of this process delays both.
 */
async function overtake<Result>(
  slow: UpstreamNode,
  attempt: Promise<Outcome<Result>>,
  substitute: Promise<Outcome<Result>>,
): Promise<Outcome<Result>> {
  let isPending = true
  void attempt.finally(() => (isPending = false))
  const first = await Promise.race([attempt, substitute])
  if ('answer' in first) {
    if (isPending) slow.recordOvertaken()
    return first
  }
  const outcomes = await Promise.all([attempt, substitute])
  const answered = outcomes.find((outcome) => 'answer' in outcome)
  return answered ?? { failures: outcomes.flatMap((outcome) => ('failures' in outcome ? outcome.failures : [])) }
}

/**
 * Returns the error of a node that answered, which is more specific than a fault. Otherwise returns the error of the
 * most preferred node.
 */
function selectError(failures: readonly Failure[]): unknown {
  const answered = failures.find(({ errorClass }) => !errorClass.isFault)
  return (answered ?? failures[0])?.error
}

/**
 * Returns the usable nodes in order of preference: the healthy nodes, then the lagging nodes, then the unproven nodes.
 *
 * @throws the error that the most preferred node is ejected for, if no node is usable
 */
export function selectNodes(nodes: readonly UpstreamNode[]): readonly UpstreamNode[] {
  const usable = usableStates.flatMap((state) => nodes.filter((node) => node.state() === state))
  if (usable.length > 0) return usable
  throw nodes[0]?.failure() ?? new Error('Cannot select a node: no node is configured')
}

/** The time limit of a request over all nodes and attempts. */
export const requestTimeoutMs = 10_000

const maxAttemptTimeoutMs = 4000

/**
 * Returns the time limit of one attempt at one node, so that an attempt at every node fits into the limit of the
 * request.
 */
export function attemptTimeoutMs(nodeCount: number): number {
  return Math.min(maxAttemptTimeoutMs, requestTimeoutMs / nodeCount)
}

const [minMs, maxMs] = [100, 250]
// Requests of one batch fail together.
const togetherMs = 10

/**
 * Creates a delay of 100 to 250 ms before a retry, at random, so that services whose requests failed together do not
 * retry together. Calls within 10 ms share one delay, so that the requests of one batch form one batch again.
 */
function createRetryDelay(random: () => number): () => Promise<void> {
  let startedAtMs = -Infinity
  let delay: Promise<void> = Promise.resolve()
  return () => {
    if (performance.now() - startedAtMs > togetherMs) {
      startedAtMs = performance.now()
      const delayMs = minMs + random() * (maxMs - minMs)
      delay = new Promise((resolve) => setTimeout(resolve, delayMs))
    }
    return delay
  }
}

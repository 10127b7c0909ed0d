import { Client } from '@agio/core'
import { classifyError, type ErrorClass } from '../errors/classifyError.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { createRetryDelay } from './createRetryDelay.ts'
import { selectNodes } from './selectNodes.ts'
import { attemptTimeoutMs, requestTimeoutMs } from './timeouts.ts'

/**
 * Creates the order in which nodes are read. Each read goes to the first node, in order of preference, that can answer.
 * After an error of a node, the read goes to the next node at once. An error about the call itself is the answer.
 *
 * If no node could answer, the read goes once more to the nodes whose error was transient, after a delay with jitter. A
 * node that timed out is not read again. So a read takes at most ten seconds and two requests per node. Over each new
 * link and after a fault, the chain id is requested in parallel.
 */
export function createFailover({ nodes, random }: createFailover.Settings): Failover {
  const attemptMs = attemptTimeoutMs(nodes.length)
  const delayRetry = createRetryDelay(random)
  return async (method, attempt, client) => {
    const startedAtMs = performance.now()
    const attemptAt = (node: UpstreamNode) => attempt(node, startedAtMs)
    const first = await readInTurn(selectNodes(nodes), { method, attemptAt, client })
    if ('result' in first) return first.result
    const retried = first.failures
      .filter(({ node, errorClass }) => errorClass.isTransient && node.isUsable())
      .map(({ node }) => node)
    if (retried.length > 0) await delayRetry()
    const lastStartMs = startedAtMs + requestTimeoutMs - attemptMs
    const second = await readInTurn(retried, { method, attemptAt, client, lastStartMs })
    if ('result' in second) return second.result
    throw selectError([...first.failures, ...second.failures])
  }
}

export declare namespace createFailover {
  type Settings = {
    /** In order of preference. */
    readonly nodes: readonly UpstreamNode[]
    /** Returns a random number from 0 to 1. */
    readonly random: () => number
  }
}

/**
 * Reads from one node after another until a node answers.
 *
 * @param method the JSON-RPC method, which decides how errors are classified
 * @param attempt reads from one node; `startedAtMs` is when the first attempt began
 * @param client no further attempt is made once it has disconnected
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
  readonly lastStartMs?: number
}

type Failure = { readonly node: UpstreamNode; readonly error: unknown; readonly errorClass: ErrorClass }

type Outcome<Result> = { readonly result: Result } | { readonly failures: readonly Failure[] }

async function readInTurn<Result>(
  nodes: readonly UpstreamNode[],
  { method, attemptAt, client, lastStartMs = Infinity }: Attempts<Result>,
): Promise<Outcome<Result>> {
  const failures: Failure[] = []
  for (const node of nodes) {
    Client.assertConnected(client)
    // It may have been ejected since the selection.
    if (!node.isUsable() || performance.now() > lastStartMs) continue
    try {
      return { result: await attemptAt(node) }
    } catch (error) {
      const errorClass = classifyError(error, method)
      if (errorClass.isCallError) throw error
      failures.push({ node, error, errorClass })
    }
  }
  return { failures }
}

/**
 * Returns the error of a node that answered, which is more specific than a fault. Otherwise returns the error of the
 * most preferred node.
 */
function selectError(failures: readonly Failure[]): unknown {
  const answered = failures.find(({ errorClass }) => !errorClass.isFault)
  return (answered ?? failures[0])?.error
}

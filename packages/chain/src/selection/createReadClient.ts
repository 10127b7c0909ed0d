import { createPublicClient, custom } from 'viem'
import { classifyError, type ErrorClass } from '../errors/classifyError.ts'
import type { TimedRequest, UpstreamNode } from '../health/UpstreamNode.ts'
import type { RpcRequest } from '../transport/NodeLink.ts'
import { createRetryDelay } from './createRetryDelay.ts'
import { selectNodes } from './selectNodes.ts'
import { attemptTimeoutMs, requestTimeoutMs } from './timeouts.ts'

/**
 * Creates viem's client for reads. Each read goes to the first node, in order of preference, that can answer: after an error
 * of one node the request goes to the next at once; an error about the call itself is the answer.
 *
 * If no node could answer, the request goes once more to those whose error was transient, after a delay with jitter, and not to
 * a node that timed out. So a read costs ten seconds and two requests per node at most; over each new link and after a fault,
 * the chain id is requested in parallel.
 */
export function createReadClient(settings: createReadClient.Settings) {
  return createPublicClient({ transport: custom({ request: createFailover(settings) }, { retryCount: 0 }) })
}

export declare namespace createReadClient {
  type Settings = {
    /** In order of preference. */
    readonly nodes: readonly UpstreamNode[]
    /** From 0 to 1. */
    readonly random: () => number
  }
}

type Failure = { readonly node: UpstreamNode; readonly error: unknown; readonly errorClass: ErrorClass }

type Outcome = { readonly result?: unknown; readonly failures: readonly Failure[] }

function createFailover({ nodes, random }: createReadClient.Settings): (request: RpcRequest) => Promise<unknown> {
  const attemptMs = attemptTimeoutMs(nodes.length)
  const delayRetry = createRetryDelay(random)
  return async (request) => {
    const timed = { request, startedAtMs: performance.now() }
    const first = await readInTurn(selectNodes(nodes), timed)
    if ('result' in first) return first.result
    const retried = first.failures
      .filter(({ node, errorClass }) => errorClass.isTransient && node.isUsable())
      .map(({ node }) => node)
    if (retried.length > 0) await delayRetry()
    const second = await readInTurn(retried, timed, timed.startedAtMs + requestTimeoutMs - attemptMs)
    if ('result' in second) return second.result
    throw selectError([...first.failures, ...second.failures])
  }
}

async function readInTurn(
  nodes: readonly UpstreamNode[],
  timed: TimedRequest,
  lastStartMs = Infinity,
): Promise<Outcome> {
  const failures: Failure[] = []
  for (const node of nodes) {
    // It may have been ejected since the selection.
    if (!node.isUsable() || performance.now() > lastStartMs) continue
    try {
      return { result: await node.read(timed), failures }
    } catch (error) {
      const errorClass = classifyError(error, timed.request.method)
      if (errorClass.isCallError) throw error
      failures.push({ node, error, errorClass })
    }
  }
  return { failures }
}

/** The error of a node that answered, which is more specific than a fault; else that of the most preferred node. */
function selectError(failures: readonly Failure[]): unknown {
  const answered = failures.find(({ errorClass }) => !errorClass.isFault)
  return (answered ?? failures[0])?.error
}

import { createPause } from './createPause.ts'
import { judgeError, type Judgement } from '../errors/judgeError.ts'
import type { Body } from '../transport/Link.ts'
import { totalMs } from './totalMs.ts'
import { toTryMs } from './toTryMs.ts'
import { listUsable } from './listUsable.ts'
import type { Call, Node } from '../health/Node.ts'

/**
 * Reads from the first node, in order of preference, that can answer: whatever is a matter of one node, the next is asked
 * at once; an answer about the call itself is the answer.
 *
 * If none could, those that failed with what may pass are asked once more, after a wait with jitter. Who took too long is
 * not asked again. So a read costs ten seconds, and two requests per node, at most; over each new link and after a fault
 * the question for the chain's id goes beside them.
 */
export function createReads({ nodes, random }: createReads.Settings): (body: Body) => Promise<unknown> {
  const tryMs = toTryMs(nodes.length)
  const pause = createPause(random)

  async function askInTurn(asked: readonly Node[], call: Call, lastStartMs = Infinity): Promise<Outcome> {
    const failures: Failure[] = []
    for (const node of asked) {
      // It may have been left alone since.
      if (!node.isUsable() || performance.now() > lastStartMs) continue
      try {
        return { result: await node.ask(call), failures }
      } catch (error) {
        const judgement = judgeError(error, call.body.method)
        if (judgement.isAboutCall) throw error
        failures.push({ node, error, judgement })
      }
    }
    return { failures }
  }
  return async (body) => {
    const call = { body, startedAtMs: performance.now() }
    const first = await askInTurn(listUsable(nodes), call)
    if ('result' in first) return first.result
    const passing = first.failures.filter(({ node, judgement }) => judgement.isPassing && node.isUsable())
    if (passing.length > 0) await pause()
    const asked = passing.map(({ node }) => node)
    const second = await askInTurn(asked, call, call.startedAtMs + totalMs - tryMs)
    if ('result' in second) return second.result
    throw choose([...first.failures, ...second.failures])
  }
}

export declare namespace createReads {
  type Settings = {
    /** In order of preference. */
    readonly nodes: readonly Node[]
    /** From 0 to 1. */
    readonly random: () => number
  }
}

type Failure = { readonly node: Node; readonly error: unknown; readonly judgement: Judgement }

type Outcome = { readonly result?: unknown; readonly failures: readonly Failure[] }

/** What a node has answered says more than that another one is away; else the most preferred one counts. */
function choose(failures: readonly Failure[]): unknown {
  const answered = failures.find(({ judgement }) => !judgement.isFault)
  return (answered ?? failures[0])?.error
}

import type { ChainId } from '@agio/core'
import type { Head } from '../head/Head.ts'
import { askConfirmed } from './askConfirmed.ts'
import { askValid } from '../transport/askValid.ts'
import { createBreaker } from './createBreaker.ts'
import { createChainCheck } from './createChainCheck.ts'
import { createProbing } from './createProbing.ts'
import { judgeError } from '../errors/judgeError.ts'
import type { Endpoint, Link } from '../transport/Link.ts'
import type { Call, Node, NodeReport } from './Node.ts'
import { readCondition, type Condition } from './readCondition.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'

// Alone, a node is worth asking until it has surely failed: five calls, one after the other, or three that had no answer in
// time. Where another one can take over, leaving it costs nothing, and half a second later it is asked how it is.
const limitAlone = 5
const limitWithSubstitute = 2
// Who has waited in vain has waited for seconds.
const timeoutWeight = 2

// Within five seconds of its recovery a node is in use again, whatever it has been through. Another chain does not go away
// by itself.
const paces = {
  unavailable: { firstMs: 500, lastMs: 4000 },
  lagging: { firstMs: 500, lastMs: 4000 },
  'wrong-chain': { firstMs: 5000, lastMs: 30_000 },
} as const

/**
 * One upstream node: asks it, keeps count of its faults, and leaves it alone once it has had too many. From then on it is
 * probed in the background, by its chain id and its newest block, until it is well again.
 *
 * Its chain id is asked for with the first call over each link and after each fault, and known before anything is sent.
 */
export function createNode<OwnLink extends Link>(settings: createNode.Settings<OwnLink>): Node<OwnLink> {
  const { position, chainId, endpoint, findHead, onState } = settings
  const breaker = createBreaker({ getLimit: () => (settings.hasSubstitute() ? limitWithSubstitute : limitAlone) })
  const chain = createChainCheck({ chainId, onWrong: (wrong) => become({ state: 'wrong-chain', ...wrong }) })
  const probing = createProbing({ probe, random: settings.random })
  let condition: Condition = { state: 'healthy' }
  let [isStopped, era] = [false, 0]

  const isUsable = () => condition.state === 'healthy' || condition.state === 'lagging'
  const isWrong = () => condition.state === 'wrong-chain'

  function become(next: Condition): void {
    const hasChanged = next.state !== condition.state
    condition = next
    if (!hasChanged) return
    breaker.clear()
    probing.stop()
    if (next.state !== 'healthy' && !isStopped) probing.start(paces[next.state])
    onState({ position, state: next.state, code: next.failure?.code, servedChainId: next.servedChainId })
  }
  async function observe<Result>({ body, startedAtMs }: Call, asking: Promise<Result>): Promise<Result> {
    try {
      const result = await asking
      breaker.clear()
      return result
    } catch (error) {
      const { isFault, isTimeout } = judgeError(error, body.method)
      if (!isFault) breaker.clear()
      else if (!isWrong()) meet(error, { startedAtMs, weight: isTimeout ? timeoutWeight : 1 })
      throw error
    }
  }
  function meet(error: unknown, fault: Parameters<typeof breaker.add>[0]): void {
    chain.forget()
    if (breaker.add(fault) && isUsable()) become({ state: 'unavailable', failure: toUpstreamError(error) })
  }
  async function probe(): Promise<void> {
    const ownEra = era
    const found = await endpoint.workOver((link) => readCondition(link, { chain, findHead })).catch(toAway)
    // Another chain was told of when it was found.
    if (era === ownEra && !(isWrong() && found.state === 'unavailable')) become(found)
  }
  function workConfirmed<Result>(work: (link: OwnLink) => Promise<Result>): Promise<Result> {
    return endpoint.workOver(async (link) => {
      await chain.confirm(link)
      return await work(link)
    })
  }
  function checkSoon(): void {
    const body = { method: 'eth_chainId' }
    observe({ body, startedAtMs: performance.now() }, endpoint.workOver(chain.confirm)).catch(() => {})
  }
  checkSoon()

  return {
    position,
    state: () => condition.state,
    failure: () => condition.failure,
    isUsable,
    ask(call) {
      const asking = endpoint.workOver((link) => askConfirmed(link, { chain, body: call.body }))
      return observe(call, asking)
    },
    send(call) {
      return observe(
        call,
        workConfirmed((link) => askValid(link, call.body)),
      )
    },
    workOver(work) {
      if (condition.failure && !isUsable()) return Promise.reject(condition.failure)
      const call = { body: { method: 'eth_subscribe' }, startedAtMs: performance.now() }
      return observe(call, workConfirmed(work))
    },
    resetCircuit() {
      era += 1
      breaker.clear()
      chain.forget()
      become({ state: 'healthy' })
      checkSoon()
    },
    stop() {
      isStopped = true
      probing.stop()
      endpoint.stop()
    },
  }
}

export declare namespace createNode {
  type Settings<OwnLink extends Link> = {
    /** Its place in the order of preference, from 1. */
    readonly position: number
    readonly chainId: ChainId
    readonly endpoint: Endpoint<OwnLink>
    /** Whether another node can be asked instead. */
    readonly hasSubstitute: () => boolean
    /** The newest block that is known, from whichever node. */
    readonly findHead: () => Head | undefined
    readonly onState: (report: NodeReport) => void
    /** From 0 to 1. */
    readonly random: () => number
  }
}

function toAway(error: unknown): Condition {
  return { state: 'unavailable', failure: toUpstreamError(error) }
}

import { ServiceError } from '@agio/core'
import type { Hex } from 'viem'
import { judgeError } from '../errors/judgeError.ts'
import { totalMs } from './totalMs.ts'
import { listUsable } from './listUsable.ts'
import type { Node } from '../health/Node.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'

/**
 * Hands a signed transaction to the first node that takes it; none is handed it twice. After a failure its hash decides: a
 * transaction that a node knows is sent, and the next node is handed it only if it says that it does not know it. These
 * are the same bytes, so that it is mined once, whoever has them.
 *
 * All of it takes ten seconds at most.
 */
export function createSend(nodes: readonly Node[]): (signed: Signed) => Promise<void> {
  return async ({ serialized, hash }) => {
    const startedAtMs = performance.now()
    const inTime = <Result>(asking: Promise<Result>) => within(asking, startedAtMs + totalMs - performance.now())
    const toCall = (method: string, parameter: Hex) => ({ body: { method, params: [parameter] }, startedAtMs })
    const isKnownTo = async (node: Node) => {
      const found = await inTime(node.ask(toCall('eth_getTransactionByHash', hash)))
      return (found as { readonly hash?: unknown } | null)?.hash === hash
    }
    const sendTo = (node: Node) => inTime(node.send(toCall('eth_sendRawTransaction', serialized)))

    const usable = listUsable(nodes)
    const failure = await sendInTurn(usable, { sendTo, isKnownTo })
    if (failure && !(await isKnown(usable, isKnownTo))) throw failure.error
  }
}

type Signed = { readonly serialized: Hex; readonly hash: Hex }

type Steps = {
  readonly sendTo: (node: Node) => Promise<unknown>
  readonly isKnownTo: (node: Node) => Promise<boolean>
}

/** What it failed with, where it did: the first fault, unless a node has refused the transaction as such. */
async function sendInTurn(nodes: readonly Node[], { sendTo, isKnownTo }: Steps): Promise<Failed | undefined> {
  let failed: Failed | undefined
  for (const node of nodes) {
    const isKnown = failed && (await isKnownTo(node).catch(() => 'untold'))
    if (isKnown === true) return undefined
    if (isKnown === 'untold') continue
    try {
      await sendTo(node)
      return undefined
    } catch (error) {
      if (isRefusal(error)) return { error }
      failed ??= { error }
    }
  }
  return failed
}

type Failed = { readonly error: unknown }

/** Whether one of the nodes knows the transaction. @throws `svc/upstream-*` if none can tell */
async function isKnown(nodes: readonly Node[], isKnownTo: Steps['isKnownTo']): Promise<boolean> {
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

// geth's and Hardhat's code for whatever is wrong with a transaction.
const refused = -32_000

function isRefusal(error: unknown): boolean {
  const { isAboutCall } = judgeError(error, 'eth_sendRawTransaction')
  return isAboutCall || (error as { readonly code?: unknown } | null)?.code === refused
}

async function within<Result>(asking: Promise<Result>, leftMs: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooLate()), Math.max(0, leftMs))
  try {
    return await Promise.race([asking, late])
  } finally {
    clearTimeout(timer)
  }
}

function tooLate(): ServiceError {
  return new ServiceError('svc/upstream-timeout', 'Cannot send the transaction: the nodes took too long', {})
}

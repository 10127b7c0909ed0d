import { setTimeout as wait } from 'node:timers/promises'
import type { Health } from '@agio/api'
import type { RunningServer } from './startServer.ts'

const intervalMs = 25

/**
 * Waits until a service is healthy, up to the time limit of a start. Does not wait for unreadable pools: most remain
 * unreadable.
 *
 * @param readHealth returns the health of the service, from memory
 * @returns the last health read; not `ok` after the time limit, or if the signal aborts the wait
 * @throws `Error` with the reason once a chain is refused
 */
export async function waitUntilHealthy(
  readHealth: () => Health,
  { timeoutMs, signal, findRefusal }: Options,
): Promise<Health> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const [health, refusal] = [readHealth(), findRefusal?.()]
    if (refusal !== undefined) throw new Error(refusal)
    if (isHealthyExceptPools(health) || performance.now() >= deadlineMs || signal?.aborted) return health
    await wait(intervalMs)
  }
}

type Options = {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Returns, from memory, why a chain is refused; undefined if no chain is refused. */
  readonly findRefusal?: (() => string | undefined) | undefined
}

/**
 * Waits until a server that has just started is healthy, for at most five seconds. A node that is down at the start does
 * not stop the server. A chain that is refused in this time does: the operator must correct its deployment file.
 *
 * @returns the beginning of the ready line
 * @throws `Error` with the reason if a chain is refused. The server is stopped then
 */
export async function waitUntilReady(
  { readHealth, findRefusal, stop }: Pick<RunningServer, 'readHealth' | 'findRefusal' | 'stop'>,
  signal?: AbortSignal,
): Promise<string> {
  try {
    return formatReadiness(await waitUntilHealthy(readHealth, { timeoutMs: 5000, signal, findRefusal }))
  } catch (error) {
    await stop()
    throw error
  }
}

/** Returns whether unreadable pools are the only reason why a service is not `ok`. */
function isHealthyExceptPools({ chains, storage, limits }: Health): boolean {
  const isServing = chains.every(({ status, reason }) => status === 'ok' || (status === 'degraded' && !reason))
  return isServing && storage === 'ok' && limits !== 'unreachable'
}

/** Formats the beginning of the ready line: `ready`, or `ready (degraded: …)` with the missing parts. */
export function formatReadiness(health: Health): string {
  return health.status === 'ok' ? 'ready' : `ready (degraded: ${listMissing(health).join('; ')})`
}

function listMissing({ chains, storage, limits }: Health): readonly string[] {
  const failing = chains.filter(({ status }) => status !== 'ok')
  return [
    ...failing.map(describeChain),
    ...(storage === 'ok' ? [] : [`the database is ${storage}`]),
    ...(limits === 'unreachable' ? ['Redis is unreachable'] : []),
  ]
}

const suspicions = { clock: 'the wall clock of this machine is suspect', node: 'its nodes disagree' } as const

function describeChain(chain: Health['chains'][number]): string {
  const { chainId, status, reason, suspect, unreadablePools = [], faultyFeeds = [] } = chain
  const suspects = suspect ? [suspicions[suspect]] : []
  const causes = [
    ...(reason ? [reason] : []),
    ...suspects,
    ...unreadablePools.map((pool) => `cannot read pool ${pool}`),
    ...faultyFeeds.map(({ feed, reason: fault }) => `feed ${feed} is faulty: ${fault}`),
  ]
  return `chain ${chainId} is ${status}${causes.length > 0 ? ` (${causes.join(', ')})` : ''}`
}

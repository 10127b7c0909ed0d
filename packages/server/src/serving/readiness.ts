import { setTimeout as wait } from 'node:timers/promises'
import type { Health } from '@agio/api'

const intervalMs = 25

/**
 * Waits until a service is healthy, up to the time limit of a start. Does not wait for unreadable pools: most remain
 * unreadable.
 *
 * @param readHealth returns the health of the service, from memory
 * @returns the last health read; not `ok` after the time limit, or if the signal aborts the wait
 */
export async function waitUntilHealthy(
  readHealth: () => Health,
  { timeoutMs, signal }: waitUntilHealthy.Options,
): Promise<Health> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const health = readHealth()
    if (isHealthyExceptPools(health) || performance.now() >= deadlineMs || signal?.aborted) return health
    await wait(intervalMs)
  }
}

export declare namespace waitUntilHealthy {
  type Options = { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined }
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

function describeChain({ chainId, status, reason, suspect, unreadablePools = [] }: Health['chains'][number]): string {
  const suspects = suspect ? [`the wall ${suspect} of this machine is suspect`] : []
  const causes = [
    ...(reason ? [reason] : []),
    ...suspects,
    ...unreadablePools.map((pool) => `cannot read pool ${pool}`),
  ]
  return `chain ${chainId} is ${status}${causes.length > 0 ? ` (${causes.join(', ')})` : ''}`
}

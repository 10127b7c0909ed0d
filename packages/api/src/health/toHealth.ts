import type { Chain } from '@agio/chain'
import type { Limiter, Store } from '@agio/store'
import { z } from 'zod'
import { timestamp } from '../schema/fields.ts'

/** The version of the service, which is that of its written interface. */
export const version = '2.1.0'

// A node that has confirmed nothing for this long counts as unreachable.
const silentAfterMs = 10_000
// A newest block older than this means that the node lags.
const lagAfterSeconds = 300

const chainHealth = z.object({
  chainId: z.int(),
  status: z.enum(['ok', 'lagging', 'unreachable']),
  blockNumber: z.int().optional(),
  blockAgeSeconds: z.int().optional(),
})

/** What `/health` answers. */
export const health = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']),
    timestamp,
    uptime: z.number().meta({ description: 'Seconds' }),
    version: z.string(),
    chains: z.array(chainHealth),
    storage: z.enum(['ok', 'unreachable']).meta({ description: 'The database of keys and usage' }),
    limits: z
      .enum(['local', 'shared', 'unreachable'])
      .meta({ description: 'Where requests are counted; unreachable: Redis is, and each process limits by itself' }),
  })
  .meta({ id: 'Health' })

/** Tells how the service is from what it knows already: it never waits for a node, nor for a database. */
export function toHealth({ chains, store, limiter }: toHealth.Parts, times: toHealth.Times): z.output<typeof health> {
  const { nowMs, startedAtMs } = times
  const states = Object.values(chains).map((chain) => toChainHealth(chain, nowMs))
  const storage = store.isReachable() ? 'ok' : 'unreachable'
  const shared = limiter.state()
  const limits = shared === 'unavailable' ? 'unreachable' : shared
  const working = states.filter(({ status }) => status === 'ok').length
  const isWhole = working === states.length && limits !== 'unreachable'
  return {
    status: working === 0 || storage !== 'ok' ? 'down' : isWhole ? 'ok' : 'degraded',
    timestamp: new Date(nowMs).toISOString(),
    uptime: Math.max(0, nowMs - startedAtMs) / 1000,
    version,
    chains: states,
    storage,
    limits,
  }
}

export declare namespace toHealth {
  type Parts = {
    readonly chains: Readonly<Record<string, Chain>>
    readonly store: Pick<Store, 'isReachable'>
    readonly limiter: Pick<Limiter, 'state'>
  }
  type Times = { readonly nowMs: number; readonly startedAtMs: number }
}

function toChainHealth({ chainId, headState }: Chain, nowMs: number): z.output<typeof chainHealth> {
  const { head, confirmedAtMs } = headState()
  if (!head) return { chainId, status: 'unreachable' }
  const blockAgeSeconds = Math.max(0, Math.floor(nowMs / 1000) - Number(head.timestampSeconds))
  const isSilent = nowMs - confirmedAtMs > silentAfterMs
  const status = isSilent ? 'unreachable' : blockAgeSeconds > lagAfterSeconds ? 'lagging' : 'ok'
  return { chainId, status, blockNumber: Number(head.number), blockAgeSeconds }
}

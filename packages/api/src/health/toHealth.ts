import type { Chain } from '@agio/chain'
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
  })
  .meta({ id: 'Health' })

/** Tells how the service is from what it knows already: it never waits for a node. */
export function toHealth(
  chains: Readonly<Record<string, Chain>>,
  { nowMs, startedAtMs }: toHealth.Times,
): z.output<typeof health> {
  const states = Object.values(chains).map((chain) => toChainHealth(chain, nowMs))
  const working = states.filter(({ status }) => status === 'ok').length
  return {
    status: working === states.length ? 'ok' : working > 0 ? 'degraded' : 'down',
    timestamp: new Date(nowMs).toISOString(),
    uptime: Math.max(0, nowMs - startedAtMs) / 1000,
    version,
    chains: states,
  }
}

export declare namespace toHealth {
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

import type { Chain } from '@agio/chain'
import type { Limiter, Store } from '@agio/store'
import { z } from 'zod'
import { addressOut, chainIdOut, timestamp, wholeNumber } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'

/** The version of the service and of its interface. */
export const version = '2.1.0'

const upstreamCodes = ['svc/upstream-error', 'svc/upstream-timeout', 'svc/upstream-unavailable'] as const

const chainHealth = z
  .object({
    chainId: chainIdOut,
    status: z
      .enum(['ok', 'degraded', 'lagging', 'unreachable'])
      .describe(
        'ok: a node answered the last poll for the newest block within 1.5 s, or within 0.85 s while the chain is idle. degraded: the poll failed or took longer, a pool cannot be read, a feed is faulty, or a clock or a node is suspect. lagging: the newest block is older than MAX_BLOCK_AGE_MS. unreachable: no node has confirmed a block within SNAPSHOT_MAX_AGE_MS, or the pools could not be read in that time',
      ),
    available: z.array(z.enum(['previews', 'transactions'])).meta({
      description:
        'Which operations work: `previews`, which use the last confirmed block, and `transactions`, which read or send through a node during the request',
      example: ['previews', 'transactions'],
    }),
    reason: z.enum(upstreamCodes).optional().describe('Error code that requests to the node currently return'),
    suspect: z.enum(['clock', 'node']).optional().meta({
      description:
        'node: in the last ten minutes nodes have disagreed about the fork that they follow, the end of a transaction, a pool, a token or a contract. clock: by the wall clock of this machine, the newest block is older than MAX_BLOCK_AGE_MS. But blocks arrive in step with its monotonic clock, so the wall clock is probably ahead. The chain is served',
      example: 'clock',
    }),
    unconfirmed: z.boolean().optional().meta({
      description:
        'No second node confirms the newest block that was compared: the others are down, do not have it, or contradict it. Only if it is true',
      example: true,
    }),
    unreadablePools: z
      .array(addressOut)
      .optional()
      .meta({
        description:
          'Pools of the deployment that cannot be read. The service reads them again every 5 s, and serves the other pools. Absent if all pools can be read',
        example: ['0x9A676e781A523b5d0C0e43731313A708CB607508'],
      }),
    disprovenPools: z
      .array(addressOut)
      .optional()
      .meta({
        description:
          'Pools that are priced by their own views, because the views differed from the returned curve. Each preview of these pools needs a call to a node. Absent if no pool is affected',
        example: ['0x9A676e781A523b5d0C0e43731313A708CB607508'],
      }),
    faultyFeeds: z
      .array(
        z.object({
          feed: addressOut.meta({ description: 'Address of the feed', example: localExamples.oracle }),
          reason: z.enum(['invalid', 'bounds', 'step', 'sequencer', 'depeg']).meta({
            description:
              'invalid: its answer is zero or negative. bounds: its answer is implausible. step: its answer differs too much from the round before. sequencer: it reports that the sequencer of the network is down or has just restarted. depeg: it reports that the reference token is not worth a dollar',
            example: 'sequencer',
          }),
        }),
      )
      .optional()
      .describe('Feeds because of which pools refuse to convert, except for old prices. Absent if no feed is faulty'),
    blockNumber: wholeNumber.optional().meta({ description: 'Number of the last confirmed block', example: 59 }),
    blockAgeSeconds: wholeNumber
      .optional()
      .meta({ description: 'Age of that block in seconds, by the wall clock', example: 1 }),
  })
  .meta({ id: 'ChainHealth', description: 'The health of a chain' })

/** The response of `/health`. */
export const health = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']).meta({ id: 'HealthStatus', description: 'State of the service' }),
    timestamp: timestamp.describe('Time of the response'),
    uptime: z.number().meta({ description: 'Seconds since the start of the service', example: 3600.5 }),
    version: z.string().meta({ description: 'Version of the service', example: version }),
    chains: z.array(chainHealth).describe('State of each chain'),
    storage: z.enum(['ok', 'unwritable', 'unreachable']).meta({
      id: 'StorageState',
      description:
        'State of the database of keys and usage. unwritable: its disk is full or it is read-only. Keys work, calls are counted in memory, and keys cannot be created or changed. unreachable: only keys in memory work',
    }),
    limits: z.enum(['local', 'shared', 'unreachable']).meta({
      id: 'LimitScope',
      description:
        'Scope of the limits: `shared` by all processes, or `local` to this process. `unreachable`: Redis is unreachable, and each process limits on its own',
    }),
  })
  .meta({ id: 'Health', description: 'The health of the service' })

/** The body of `/health`. */
export type Health = z.output<typeof health>

/** Returns the health of the service from memory, without a request to a node or a database. */
export function toHealth({ chains, store, limiter }: Dependencies, times: Times): Health {
  const { nowMs, uptimeMs } = times
  const states = Object.values(chains).map((chain) => toChainHealth(chain, times))
  const storage = store.state()
  const shared = limiter.state()
  const limits = shared === 'unavailable' ? 'unreachable' : shared
  const isReadable = states.some(({ status }) => status === 'ok' || status === 'degraded')
  const isWhole = states.every(({ status }) => status === 'ok') && limits !== 'unreachable' && storage === 'ok'
  return {
    status: !isReadable || storage === 'unreachable' ? 'down' : isWhole ? 'ok' : 'degraded',
    timestamp: new Date(nowMs).toISOString(),
    uptime: uptimeMs / 1000,
    version,
    chains: states,
    storage,
    limits,
  }
}

type Dependencies = {
  readonly chains: Readonly<Record<string, ObservedChain>>
  readonly store: Pick<Store, 'state'>
  readonly limiter: Pick<Limiter, 'state'>
}
type Times = {
  /** The wall clock. */
  readonly nowMs: number
  readonly monotonicMs: number
  readonly uptimeMs: number
}

type ChainHealth = z.output<typeof chainHealth>

type ObservedChain = Pick<Chain, 'chainId'> & {
  readonly deployment: Pick<Chain['deployment'], 'pools'>
  readonly heads: Pick<Chain['heads'], 'judgeAge' | 'state'>
  readonly nodes: Pick<Chain['nodes'], 'isSuspect' | 'isUnconfirmed'>
  readonly pools: Pick<Chain['pools'], 'listDisproven' | 'listFaultyFeeds' | 'listUnreadable'>
}

type HeadState = ReturnType<Chain['heads']['state']>

const available = {
  ok: ['previews', 'transactions'],
  degraded: ['previews'],
  lagging: ['transactions'],
  unreachable: [],
} as const satisfies Record<ChainHealth['status'], ChainHealth['available']>

function toChainHealth(chain: ObservedChain, { nowMs, monotonicMs }: Times): ChainHealth {
  const state = chain.heads.state()
  const [unreadablePools, disprovenPools] = [[...chain.pools.listUnreadable()], [...chain.pools.listDisproven()]]
  const faultyFeeds = [...chain.pools.listFaultyFeeds()]
  const isAnyReadable = chain.deployment.pools.some((pool) => !unreadablePools.includes(pool))
  const reason = findReason(state, monotonicMs)
  const age = state.head && chain.heads.judgeAge(state.head, nowMs)
  const nodeStatus = toStatus({ ...state, reason, age }, monotonicMs)
  const isSuspect = age === 'clock-suspect' && nodeStatus !== 'unreachable'
  const isDisputed = nodeStatus !== 'unreachable' && chain.nodes.isSuspect()
  const isImpaired = isSuspect || isDisputed || unreadablePools.length > 0 || faultyFeeds.length > 0
  return {
    chainId: chain.chainId,
    status: nodeStatus === 'ok' && isImpaired ? 'degraded' : nodeStatus,
    available: available[nodeStatus].filter((part) => part !== 'previews' || isAnyReadable),
    // Without a readable pool, every operation that prices returns this code, even with a healthy node.
    reason: reason ?? (isAnyReadable ? undefined : 'svc/upstream-error'),
    ...(isSuspect && { suspect: 'clock' }),
    ...(isDisputed && { suspect: 'node' }),
    ...(chain.nodes.isUnconfirmed() && { unconfirmed: true }),
    ...(unreadablePools.length > 0 && { unreadablePools }),
    ...(disprovenPools.length > 0 && { disprovenPools }),
    ...(faultyFeeds.length > 0 && { faultyFeeds }),
    ...(state.head && describeHead(state.head, nowMs)),
  }
}

function describeHead({ number, timestampSeconds }: NonNullable<HeadState['head']>, nowMs: number) {
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestampSeconds)
  return { blockNumber: Number(number), blockAgeSeconds: Math.max(0, ageSeconds) }
}

function toStatus(
  { age, reason, confirmedAtMs, isUnread, maxAgeMs }: HeadState & Observed,
  monotonicMs: number,
): ChainHealth['status'] {
  const isExpired = reason !== undefined && (isUnread || monotonicMs - confirmedAtMs > maxAgeMs)
  if (age === undefined || isExpired) return 'unreachable'
  if (age === 'old') return 'lagging'
  return reason === undefined ? 'ok' : 'degraded'
}

type Observed = {
  readonly age: ReturnType<Chain['heads']['judgeAge']> | undefined
  readonly reason: ChainHealth['reason']
}

/**
 * Returns why the node counts as failing: the error of the last poll, or a time-out if the last or the current poll is
 * slow.
 */
function findReason(
  { error, pendingSinceMs, lastReadMs, slowAfterMs }: HeadState,
  monotonicMs: number,
): ChainHealth['reason'] {
  if (error) return upstreamCodes.find((code) => code === error.code) ?? 'svc/upstream-error'
  const pendingMs = pendingSinceMs === undefined ? 0 : monotonicMs - pendingSinceMs
  return Math.max(pendingMs, lastReadMs ?? 0) > slowAfterMs ? 'svc/upstream-timeout' : undefined
}

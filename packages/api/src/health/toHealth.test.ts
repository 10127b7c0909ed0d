import type { Chain } from '@agio/chain'
import { Errors } from '@agio/core'
import { describe, expect, it } from 'vitest'
import { toHealth } from './toHealth.ts'

const nowMs = 1_795_000_000_000
const monotonicMs = 5_000_000
const maxAgeMs = 10_000

/** The ages of blocks by their times; all others are recent. */
const ages = new Map<bigint, ReturnType<Chain['heads']['judgeAge']>>([
  [1n, 'old'],
  [2n, 'clock-suspect'],
])

type HeadState = ReturnType<Chain['heads']['state']>

const fresh: HeadState = {
  head: { number: 7n, hash: '0x07', timestampSeconds: BigInt(nowMs / 1000 - 2) },
  confirmedAtMs: monotonicMs - 400,
  maxAgeMs,
  error: undefined,
  pendingSinceMs: undefined,
  lastReadMs: 3,
  slowAfterMs: 1500,
}
const unavailable = Errors.upstreamUnavailable({ action: 'read the chain', reason: 'its node cannot be reached' })

const pools = ['0x9A676e781A523b5d0C0e43731313A708CB607508', '0x0B306BF915C4d645ff596e518fAf3F9669b97016'] as const

function healthOf(...states: readonly Partial<HeadState>[]) {
  return healthWith([], ...states)
}

function healthWith(unreadable: readonly (typeof pools)[number][], ...states: readonly Partial<HeadState>[]) {
  const parts = { chains: chainsOf(unreadable, ...states), store, limiter }
  return toHealth(parts, { nowMs, monotonicMs, uptimeMs: 60_000 })
}

const noProblems = { listUnreadable: () => [], listDisproven: () => [], listFaultyFeeds: () => [] }

const store = { state: () => 'ok' as const }

const limiter = { state: () => 'local' as const }

// Whether nodes have disagreed.
let isDisputed = false

function chainsOf(unreadable: readonly (typeof pools)[number][], ...states: readonly Partial<HeadState>[]) {
  const judgeAge: Chain['heads']['judgeAge'] = ({ timestampSeconds }) => ages.get(timestampSeconds) ?? 'recent'
  const about = {
    chainId: 84532,
    deployment: { pools },
    nodes: { isSuspect: () => isDisputed, isUnconfirmed: () => false },
    pools: { ...noProblems, listUnreadable: () => unreadable },
  } as const
  return Object.fromEntries(
    states.map((state, index) => [index, { ...about, heads: { judgeAge, state: () => ({ ...fresh, ...state }) } }]),
  )
}

function chainOf(state: Partial<HeadState>) {
  return healthOf(state).chains[0]
}

describe('the health of a chain', () => {
  it('a chain is ok while polls are answered, and lists all that works', () => {
    expect(chainOf({})).toEqual({
      chainId: 84532,
      status: 'ok',
      available: ['previews', 'transactions'],
      reason: undefined,
      blockNumber: 7,
      blockAgeSeconds: 2,
    })
  })

  it('a chain is degraded with the error code of the poll once a poll has failed, and previews go on', () => {
    expect(chainOf({ error: unavailable })).toMatchObject({
      status: 'degraded',
      available: ['previews'],
      reason: 'svc/upstream-unavailable',
      blockNumber: 7,
    })
  })

  it('a chain is unreachable if a node confirms blocks and the pools of none can be read within the maximum age', () => {
    expect(chainOf({ error: unavailable, isUnread: true })).toMatchObject({ status: 'unreachable', available: [] })
    expect(healthOf({ error: unavailable, isUnread: true }).status).toBe('down')
  })

  it('a chain is ok while a poll has been unanswered for 1.5 s, and degraded by a time-out after that', () => {
    expect(chainOf({ pendingSinceMs: monotonicMs - 1500 })).toMatchObject({ status: 'ok' })
    expect(chainOf({ pendingSinceMs: monotonicMs - 1501 })).toMatchObject({
      status: 'degraded',
      reason: 'svc/upstream-timeout',
    })
  })

  it('a chain stays degraded between two polls that are both answered too late', () => {
    expect(chainOf({ lastReadMs: 1500 })).toMatchObject({ status: 'ok' })
    expect(chainOf({ lastReadMs: 1501 })).toMatchObject({ status: 'degraded', reason: 'svc/upstream-timeout' })
    expect(chainOf({ lastReadMs: 901, slowAfterMs: 900 })).toMatchObject({ status: 'degraded' })
  })

  it('a chain is unreachable once its failing node has confirmed no block for the maximum age', () => {
    const failing = { error: unavailable, confirmedAtMs: monotonicMs - maxAgeMs }
    expect(chainOf(failing)).toMatchObject({ status: 'degraded' })
    expect(chainOf({ ...failing, confirmedAtMs: monotonicMs - maxAgeMs - 1 })).toMatchObject({
      status: 'unreachable',
      available: [],
      reason: 'svc/upstream-unavailable',
      blockNumber: 7,
    })
  })

  it('a chain is unreachable before its first block is known', () => {
    expect(chainOf({ head: undefined, confirmedAtMs: -Infinity, lastReadMs: undefined })).toEqual({
      chainId: 84532,
      status: 'unreachable',
      available: [],
      reason: undefined,
    })
  })

  it('a chain is lagging while its newest block is old, when previews are refused', () => {
    const old = { head: { number: 7n, hash: '0x07', timestampSeconds: 1n } } as const
    const blockAgeSeconds = nowMs / 1000 - 1
    expect(chainOf(old)).toMatchObject({ status: 'lagging', available: ['transactions'], blockAgeSeconds })
  })

  it('a chain that is served although its block is old by the wall clock is degraded, and the clock is the suspect', () => {
    const served = { head: { number: 7n, hash: '0x07', timestampSeconds: 2n } } as const
    const available = ['previews', 'transactions']
    expect(chainOf(served)).toMatchObject({ status: 'degraded', available, suspect: 'clock', reason: undefined })
    expect(healthOf(served).status).toBe('degraded')
    const failing = {
      status: 'degraded',
      available: ['previews'],
      suspect: 'clock',
      reason: 'svc/upstream-unavailable',
    }
    expect(chainOf({ ...served, error: unavailable })).toMatchObject(failing)
    expect(chainOf({})).not.toHaveProperty('suspect')
  })
})

describe('the health of a chain with unreadable pools', () => {
  const chainWith = (unreadable: readonly (typeof pools)[number][], state: Partial<HeadState> = {}) =>
    healthWith(unreadable, state).chains[0]

  it('the code of a failing node is reported rather than the code of unreadable pools', () => {
    const failing = { status: 'degraded', available: [], reason: 'svc/upstream-unavailable', unreadablePools: pools }
    expect(chainWith(pools, { error: unavailable })).toMatchObject(failing)
  })
})

describe('the health of the service', () => {
  const expired = { error: unavailable, confirmedAtMs: monotonicMs - maxAgeMs - 1 }

  it('the service is degraded by one chain that is not ok, and down once no chain can be read', () => {
    expect(healthOf({}, {}).status).toBe('ok')
    expect(healthOf({}, { error: unavailable }).status).toBe('degraded')
    expect(healthOf({ error: unavailable }, { error: unavailable }).status).toBe('degraded')
    expect(healthOf({}, expired).status).toBe('degraded')
    expect(healthOf(expired, expired).status).toBe('down')
  })

  it('the service is degraded while usage cannot be written, and down while the database is unreachable', () => {
    const health = (storage: 'ok' | 'unwritable' | 'unreachable') =>
      toHealth(
        { chains: chainsOf([], {}), store: { state: () => storage }, limiter },
        { nowMs, monotonicMs, uptimeMs: 0 },
      )
    expect(health('ok')).toMatchObject({ status: 'ok', storage: 'ok' })
    expect(health('unwritable')).toMatchObject({ status: 'degraded', storage: 'unwritable' })
    expect(health('unreachable')).toMatchObject({ status: 'down', storage: 'unreachable' })
  })
})

it('a chain whose nodes have disagreed is degraded with a suspect node, and everything works', () => {
  isDisputed = true
  const chain = chainOf({})
  isDisputed = false
  expect(chain).toMatchObject({ status: 'degraded', suspect: 'node', available: ['previews', 'transactions'] })
  expect(chainOf({})).not.toHaveProperty('suspect')
})

import type { Chain } from '@agio/chain'
import { Errors } from '@agio/core'
import { expect, it } from 'vitest'
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

let unreadable: readonly (typeof pools)[number][] = []
// Whether nodes have disagreed.
let isDisputed = false

function healthOf(states: readonly Partial<HeadState>[], storage: 'ok' | 'unwritable' | 'unreachable' = 'ok') {
  const judgeAge: Chain['heads']['judgeAge'] = ({ timestampSeconds }) => ages.get(timestampSeconds) ?? 'recent'
  const about = {
    chainId: 84532,
    deployment: { pools },
    nodes: { isSuspect: () => isDisputed, isUnconfirmed: () => false },
    pools: { listUnreadable: () => unreadable, listDisproven: () => [], listFaultyFeeds: () => [] },
  } as const
  const chains = Object.fromEntries(
    states.map((state, index) => [index, { ...about, heads: { judgeAge, state: () => ({ ...fresh, ...state }) } }]),
  )
  const limiter = { state: () => 'local' as const }
  const parts = { chains, store: { state: () => storage }, limiter }
  return toHealth(parts, { nowMs, monotonicMs, uptimeMs: 60_000 })
}

const chainOf = (state: Partial<HeadState>) => healthOf([state]).chains[0]

const headAt = (timestampSeconds: bigint) => ({ head: { number: 7n, hash: '0x07', timestampSeconds } }) as const
const failing = { error: unavailable, confirmedAtMs: monotonicMs - maxAgeMs }
const expired = { error: unavailable, confirmedAtMs: monotonicMs - maxAgeMs - 1 }

const reason = 'svc/upstream-unavailable'
const late = { status: 'degraded', reason: 'svc/upstream-timeout' }
const everything = ['previews', 'transactions']

it.each<[string, Partial<HeadState>, object]>([
  ['degraded once a poll has failed', { error: unavailable }, { status: 'degraded', available: ['previews'], reason }],
  [
    'unreachable if its pools cannot be read within the maximum age, although a node confirms blocks',
    { error: unavailable, isUnread: true },
    { status: 'unreachable', available: [] },
  ],
  ['ok while a poll has been unanswered for 1.5 s', { pendingSinceMs: monotonicMs - 1500 }, { status: 'ok' }],
  ['degraded by a time-out after that', { pendingSinceMs: monotonicMs - 1501 }, late],
  ['ok after a poll that was answered in 1.5 s', { lastReadMs: 1500 }, { status: 'ok' }],
  ['degraded between two polls that are both answered too late', { lastReadMs: 1501 }, late],
  ['degraded by an answer that is late for its node', { lastReadMs: 901, slowAfterMs: 900 }, late],
  ['degraded while its failing node has confirmed a block within the maximum age', failing, { status: 'degraded' }],
  ['unreachable after that', expired, { status: 'unreachable', available: [], reason, blockNumber: 7 }],
  [
    'lagging while its newest block is old, when previews are refused',
    headAt(1n),
    { status: 'lagging', available: ['transactions'], blockAgeSeconds: nowMs / 1000 - 1 },
  ],
  [
    'degraded, with the clock as the suspect, if it is served although its block is old by the wall clock',
    headAt(2n),
    { status: 'degraded', available: everything, suspect: 'clock', reason: undefined },
  ],
  [
    'degraded, with the clock as the suspect and the error of its node',
    { ...headAt(2n), error: unavailable },
    { status: 'degraded', available: ['previews'], suspect: 'clock', reason },
  ],
])('the health of a chain is %s', (_, state, expected) => {
  expect(chainOf(state)).toMatchObject(expected)
})

it('a chain is ok while polls are answered, and unreachable before its first block, without a suspect', () => {
  const ok = { chainId: 84532, status: 'ok', available: everything, reason: undefined }
  expect(chainOf({})).toEqual({ ...ok, blockNumber: 7, blockAgeSeconds: 2 })
  const before = { head: undefined, confirmedAtMs: -Infinity, lastReadMs: undefined }
  expect(chainOf(before)).toEqual({ ...ok, status: 'unreachable', available: [] })
})

it('a failing node, and not unreadable pools, is the reason of a chain with both', () => {
  unreadable = pools
  const chain = chainOf({ error: unavailable })
  unreadable = []
  expect(chain).toMatchObject({ status: 'degraded', available: [], reason, unreadablePools: pools })
})

it('a chain whose nodes have disagreed is degraded with a suspect node, and everything works', () => {
  isDisputed = true
  const chain = chainOf({})
  isDisputed = false
  expect(chain).toMatchObject({ status: 'degraded', suspect: 'node', available: everything })
})

it('the service is degraded by one chain that is not ok, and down once no chain can be read', () => {
  const statusOf = (...states: readonly Partial<HeadState>[]) => healthOf(states).status
  expect(statusOf({}, {})).toBe('ok')
  for (const states of [[{}, { error: unavailable }], [failing, failing], [{}, expired], [headAt(2n)]])
    expect(statusOf(...states)).toBe('degraded')
  expect(statusOf(expired, expired)).toBe('down')
  expect(statusOf({ error: unavailable, isUnread: true })).toBe('down')
})

it('the service is degraded while usage cannot be written, and down while the database is unreachable', () => {
  expect(healthOf([{}])).toMatchObject({ status: 'ok', storage: 'ok' })
  expect(healthOf([{}], 'unwritable')).toMatchObject({ status: 'degraded', storage: 'unwritable' })
  expect(healthOf([{}], 'unreachable')).toMatchObject({ status: 'down', storage: 'unreachable' })
})

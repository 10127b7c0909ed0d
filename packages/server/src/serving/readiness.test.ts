import type { Health } from '@agio/api'
import { expect, it } from 'vitest'
import { formatReadiness, waitUntilHealthy } from './readiness.ts'

const ok: Health = {
  status: 'ok',
  timestamp: '2026-11-21T05:00:00.000Z',
  uptime: 1,
  version: '2.1.0',
  chains: [
    { chainId: 84532, status: 'ok', available: ['previews', 'transactions'], blockNumber: 1, blockAgeSeconds: 0 },
  ],
  storage: 'ok',
  limits: 'local',
}
const down: Health = {
  ...ok,
  status: 'down',
  chains: [{ chainId: 84532, status: 'unreachable', available: [], reason: 'svc/upstream-unavailable' }],
  storage: 'unreachable',
  limits: 'unreachable',
}

it('the ready line of a service that becomes healthy is printed once it is', async () => {
  const states = [down, down, ok]
  const health = await waitUntilHealthy(() => states.shift() ?? ok, { timeoutMs: 60_000 })
  expect(formatReadiness(health)).toBe('ready')
  expect(states).toEqual([])
})

it('the ready line of a service that stays degraded is printed at the time limit, and names all that is missing', async () => {
  const health = await waitUntilHealthy(() => down, { timeoutMs: 60 })
  expect(formatReadiness(health)).toBe(
    'ready (degraded: chain 84532 is unreachable (svc/upstream-unavailable); the database is unreachable; Redis is unreachable)',
  )
})

it('the ready line does not wait for unreadable pools', async () => {
  const [chain] = ok.chains
  const chains = [{ ...chain, status: 'degraded', unreadablePools: ['0x9A676e781A523b5d0C0e43731313A708CB607508'] }]
  const lacking = { ...ok, status: 'degraded', chains } as Health
  const health = await waitUntilHealthy(() => lacking, { timeoutMs: 3_600_000 })
  expect(health).toBe(lacking)
})

it.each([
  [{ unreadablePools: ['0x9A67', '0x0B30'] }, 'cannot read pool 0x9A67, cannot read pool 0x0B30'],
  [{ faultyFeeds: [{ feed: '0x9A67', reason: 'depeg' }] }, 'feed 0x9A67 is faulty: depeg'],
  [{ suspect: 'clock' }, 'the wall clock of this machine is suspect'],
  [{ suspect: 'node' }, 'its nodes disagree'],
])('the ready line of a chain with %j says: %s', (state, meaning) => {
  const chains = [{ ...ok.chains[0], status: 'degraded', ...state }]
  const health = { ...ok, status: 'degraded', chains } as Health
  expect(formatReadiness(health)).toBe(`ready (degraded: chain 84532 is degraded (${meaning}))`)
})

it('a wait for readiness that is aborted ends at once', async () => {
  const health = await waitUntilHealthy(() => down, { timeoutMs: 3_600_000, signal: AbortSignal.abort() })
  expect(health.status).toBe('down')
})

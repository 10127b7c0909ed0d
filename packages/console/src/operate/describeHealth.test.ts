import { describe, expect, it } from 'vitest'
import { describeChain, describeLimits, describeService, describeStorage } from './describeHealth.ts'
import type { ChainHealth } from '../service/Health.ts'

const chain: ChainHealth = { chainId: 1, status: 'ok', available: ['previews', 'transactions'] }
const reason = 'svc/upstream-timeout'
const faultOf = (feed: string, fault: string) => ({ feed, reason: fault })

describe('the health of a chain in words', () => {
  it.each<[string, Partial<ChainHealth>, string]>([
    ['ok', {}, 'The node answered the last poll for the newest block in time.'],
    ['lagging', { available: ['transactions'] }, 'The newest block is too old for previews.'],
    [
      'unreachable',
      { available: [], reason },
      'No node has confirmed a block for too long. Nothing works on this chain.',
    ],
    [
      'degraded',
      { available: ['previews'], reason },
      'Requests to the node fail with svc/upstream-timeout. Previews continue from the last confirmed block.',
    ],
    ['degraded', { available: [], reason }, 'Requests to the node fail with svc/upstream-timeout.'],
    ['degraded', { unreadablePools: ['0x01'] }, 'A pool cannot be read.'],
    ['degraded', { faultyFeeds: [faultOf('0x01', 'invalid')] }, 'A price is not valid.'],
    [
      'degraded',
      { faultyFeeds: [faultOf('0x01', 'bounds'), faultOf('0x02', 'bounds'), faultOf('0x03', 'depeg')] },
      'A price is implausible. The dollar token is not worth a dollar.',
    ],
    [
      'degraded',
      { suspect: 'clock', unreadablePools: ['0x01', '0x02'] },
      'The clock of the service is probably ahead of the chain. 2 pools cannot be read.',
    ],
  ])('of a chain that is %s with %j: %s', (status, state, text) => {
    const described = describeChain({ ...chain, ...state, status: status as ChainHealth['status'] })
    expect(described).toMatchObject({ label: status, text })
  })
})

it('only a fully working state is positive', () => {
  const tones = (['ok', 'degraded', 'down'] as const).map((status) => describeService({ status }).tone)
  expect(tones).toEqual(['positive', 'warning', 'danger'])
  expect(describeStorage({ storage: 'unwritable' }).tone).toBe('warning')
  expect(describeStorage({ storage: 'unreachable' }).tone).toBe('danger')
  expect((['local', 'shared', 'unreachable'] as const).map((limits) => describeLimits({ limits }).tone)).toEqual([
    'positive',
    'positive',
    'warning',
  ])
})

it('a state of a newer service is shown by its name', () => {
  expect(describeService({ status: 'draining' as 'ok' })).toEqual({ label: 'draining', text: '', tone: 'warning' })
})

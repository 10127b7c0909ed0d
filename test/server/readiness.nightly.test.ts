import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { perChain } from '../harness/networks.ts'
import { validInputs } from '../harness/validInputs.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { readHealth } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'

const localnet = setUp(() => startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 }))

describe('the health of a service without traffic whose node fails', () => {
  const ok = { status: 'ok', available: ['previews', 'transactions'] }
  let stack: AgioStack
  beforeAll(async () => {
    // Long enough for the assertions, so that the chain does not become unreachable meanwhile.
    stack = await startAgio({ localnet, snapshotMaxAgeMs: 600_000 })
  })
  afterAll(() => stack?.stop())

  it.each([
    ['rpc-down', {}, 'svc/upstream-unavailable'],
    ['rpc-rate-limited', {}, 'svc/upstream-unavailable'],
    ['rpc-garbage', {}, 'svc/upstream-error'],
    ['rpc-slow', { ms: 60_000 }, 'svc/upstream-timeout'],
    ['rpc-slow', { ms: 2500 }, 'svc/upstream-timeout'],
  ] as const)(
    'health without traffic is degraded during %s %o, while previews go on, and ok after a reset',
    async (name, options, reason) => {
      const read = () => readHealth(stack.url)
      await expect.poll(read).toMatchObject({ status: 'ok', chains: perChain({}, ok) })
      await stack.scenarios.run(name, options)
      const degraded = { status: 'degraded', available: ['previews'], reason }
      await expect.poll(read).toMatchObject({ status: 'degraded', chains: perChain<object>({ 84532: degraded }, ok) })
      const preview = validInputs(localnet.chains[84532])['convert.preview']
      expect(await stack.request('convert.preview', preview)).toEqual(['200 ok', '200 ok'])
      await stack.scenarios.reset()
      await expect.poll(read).toMatchObject({ status: 'ok', chains: perChain({}, ok) })
    },
  )
})

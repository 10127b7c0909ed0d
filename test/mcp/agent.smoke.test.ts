import { expect, it } from 'vitest'
import { setUp } from '../harness/setUp.ts'
import { startAgio } from '../harness/startAgio.ts'
import { createAgent, loseBroadcast } from './createAgent.ts'

const agio = setUp(startAgio)

it('an agent that follows only descriptions and errors waits for a price, loses the answer of its broadcast, and pays once', async () => {
  const waited: unknown[] = []
  await agio.scenarios.run('stale-price', { symbol: 'tAUD' })
  await using user = await createAgent(agio, {
    era: 'newer',
    transport: 'http',
    fetch: loseBroadcast('after'),
    async wait({ code }) {
      waited.push(code)
      await agio.scenarios.reset()
    },
  })
  expect((await user.agent.convert()).text).toMatch(/^Paid 100\.000000 "tAUD", received 65\.\d+ "tUSD"\.$/)
  expect(waited).toContain('svc/stale-price')
  expect(await user.readPaid()).toBe(100_000_000n)
})

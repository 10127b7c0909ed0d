import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { both } from './both.ts'
import { prepareConversions } from './prepareConversions.ts'
import { scenarioStacks, type Subject } from './scenarioStacks.ts'

// Runs in the exhaustive tests, on forks. On new chains test/broadcast/betweenBuildAndMining.test.ts proves this.
describe.each(scenarioStacks)('a conversion that was signed before, on $name', ({ start }) => {
  let subject: Subject

  beforeAll(async () => {
    subject = await start({ broadcastWaitMs: 500 })
  })

  afterAll(() => subject?.[Symbol.asyncDispose]())

  afterEach(async () => {
    await subject.recover('convert.preview', subject.inputs['convert.preview'])
  })

  it.each([
    ['stale-price', {}, 'svc/stale-price', 'REST'],
    ['price-move', { symbol: 'tAUD', percent: -5 }, 'svc/below-min-target', 'tRPC'],
    ['thin-pool', {}, 'svc/above-max-origin', 'REST'],
    ['pool-frozen', {}, 'svc/pool-frozen', 'tRPC'],
  ] as const)(
    'a conversion that was signed before is mined and fails during %s %j: %s (%s)',
    async (name, options, code, transport) => {
      const conversion = await (await prepareConversions(subject)).sign()
      await subject.run(name, options)
      const sent = await subject.callers[transport]('transaction.broadcastConvert', conversion)
      expect(sent).toMatchObject({ status: 200, data: { status: 'failed', failure: { code } } })
      expect(sent.data).not.toHaveProperty('convert')
    },
  )

  it('a conversion does not reach the node during rpc-down, and the same call succeeds after a reset', async () => {
    const { chainId } = subject.chain
    const conversion = await (await prepareConversions(subject)).sign()
    const { signedTransaction } = conversion
    const failed = both('503 svc/upstream-unavailable')
    await subject.run('rpc-down')
    expect(await subject.request('transaction.broadcast', { chainId, signedTransaction })).toEqual(failed)
    expect(await subject.request('transaction.broadcastConvert', conversion)).toEqual(failed)
    await subject.scenarios.reset()
    await expectConverted(conversion)
  })

  it('a conversion is pending without an analysis during no-mining, and has one when the same call is repeated after mine', async () => {
    const conversion = await (await prepareConversions(subject)).sign()
    await subject.run('no-mining')
    for (const call of Object.values(subject.callers)) {
      const { data } = await call('transaction.broadcastConvert', conversion)
      expect(data).toMatchObject({ status: 'pending' })
      expect(data).not.toHaveProperty('convert')
    }
    await subject.run('mine')
    await expectConverted(conversion)
  })

  async function expectConverted(conversion: Readonly<Record<string, unknown>>): Promise<void> {
    const converted = { status: 'success', convert: { actualAmountOut: '650.874400', slippage: '0.0000%' } }
    for (const call of Object.values(subject.callers)) {
      expect(await call('transaction.broadcastConvert', conversion)).toMatchObject({ data: converted })
    }
  }
})

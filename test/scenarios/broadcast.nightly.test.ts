import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { signConversion } from '../harness/signConversion.ts'
import { both } from './both.ts'
import { scenarioStacks, type Subject } from './scenarioStacks.ts'

// On forks. On new chains test/broadcast proves this.
describe.each(scenarioStacks)('a conversion that was signed before, on $name', ({ start }) => {
  let subject: Subject

  beforeAll(async () => {
    subject = await start({ broadcastWaitMs: 500 })
  })

  afterAll(() => subject?.[Symbol.asyncDispose]())

  afterEach(() => subject.recover('convert.preview', subject.inputs['convert.preview']))

  it('a conversion does not reach the node during rpc-down, and the same call succeeds after a reset', async () => {
    const { chainId } = subject.chain
    const conversion = await sign()
    const { signedTransaction } = conversion
    const failed = both('503 svc/upstream-unavailable')
    await subject.run('rpc-down')
    expect(await subject.request('transaction.broadcast', { chainId, signedTransaction })).toEqual(failed)
    expect(await subject.request('transaction.broadcastConvert', conversion)).toEqual(failed)
    await subject.scenarios.reset()
    await expectConverted(conversion)
  })

  it('a conversion is pending without an analysis during no-mining, and has one when the same call is repeated after mine', async () => {
    const conversion = await sign()
    await subject.run('no-mining')
    for (const call of Object.values(subject.callers)) {
      const { data } = await call('transaction.broadcastConvert', conversion)
      expect(data).toMatchObject({ status: 'pending' })
      expect(data).not.toHaveProperty('convert')
    }
    await subject.run('mine')
    await expectConverted(conversion)
  })

  /** Signs a conversion, and returns the input of `transaction.broadcastConvert`. */
  async function sign() {
    const { chain, callers, inputs } = subject
    const { signedTransaction } = await signConversion(chain, callers.REST, { minAmountOut: '650.5' })
    const { poolAddress: _, ...terms } = inputs['convert.preview']
    return { ...terms, signedTransaction, expectedAmountOut: '650.874400' }
  }

  async function expectConverted(conversion: Readonly<Record<string, unknown>>): Promise<void> {
    const converted = { status: 'success', convert: { actualAmountOut: '650.874400', slippage: '0.0000%' } }
    for (const call of Object.values(subject.callers)) {
      expect(await call('transaction.broadcastConvert', conversion)).toMatchObject({ data: converted })
    }
  }
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { perChain } from '../harness/networks.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { both } from './both.ts'
import { scenarioStacks, type Subject } from './scenarioStacks.ts'

describe.each(scenarioStacks)('a chain whose clock leaps, on $name', ({ start }) => {
  let subject: Subject

  beforeAll(async () => {
    subject = await start()
  })

  afterAll(() => subject?.[Symbol.asyncDispose]())

  // Prices are as new as the chain again.
  beforeEach(() => subject.scenarios.reset())

  it('prices are stale after a leap of an hour, and reported as stale, until a reset', async () => {
    const { inputs, request, callers } = subject
    await leap(3590)
    expect(await request('convert.preview', inputs['convert.preview'])).toEqual(both('200 ok'))
    await leap(30)
    for (const operation of ['convert.preview', 'transaction.buildConvert'] as const) {
      expect([operation, await request(operation, inputs[operation])]).toEqual([operation, both('422 svc/stale-price')])
    }
    for (const call of Object.values(callers)) {
      const prices = { tAUD: { stale: true }, tEUR: { stale: true }, tUSD: { stale: false } }
      expect(await call('oracle.prices', inputs['oracle.prices'])).toMatchObject({ data: { prices } })
    }
    await subject.recover('convert.preview', inputs['convert.preview'])
    await subject.run('stale-price')
    expect(await request('convert.preview', inputs['convert.preview'])).toEqual(both('422 svc/stale-price'))
    await subject.recover('convert.preview', inputs['convert.preview'])
  })

  it('a deadline that a leap has passed is refused, and the default deadline follows the clock of the chain', async () => {
    const { inputs, request, callers, owner } = subject
    const build = inputs['transaction.buildConvert']
    const deadline = Number((await owner.client.getBlock()).timestamp) + 300
    expect(await request('transaction.buildConvert', { ...build, deadline })).toEqual(both('200 ok'))
    await leap(301)
    expect(await request('transaction.buildConvert', { ...build, deadline })).toEqual(both('422 svc/deadline-passed'))
    const { timestamp } = await owner.client.getBlock()
    for (const call of Object.values(callers)) {
      const { data } = await call('transaction.buildConvert', build)
      expect(data?.['deadline']).toBe(Number(timestamp) + 300)
    }
  })

  it('the faucet can be claimed from again after a leap of a day, not before', async () => {
    const { chain, callers, request } = subject
    const wallet = await createWallet(chain)
    const claim = { chainId: chain.chainId, userAddress: wallet.address }
    const built = await callers.REST('faucet.buildClaimAll', claim)
    const signedTransaction = await wallet.sign(callers.REST, built.data as unknown as Unsigned)
    const sent = await callers.REST('transaction.broadcast', { chainId: chain.chainId, signedTransaction })
    expect(sent).toMatchObject({ data: { status: 'success' } })
    await leap(86_300)
    expect(await request('faucet.buildClaimAll', claim)).toEqual(both('429 svc/faucet-cooldown'))
    await leap(200)
    expect(await request('faucet.buildClaimAll', claim)).toEqual(both('200 ok'))
    for (const call of Object.values(callers)) {
      expect(await call('faucet.info', claim)).toMatchObject({ data: { user: { canClaim: true } } })
    }
  })

  it('a chain ahead of the wall clock is healthy', async () => {
    const { inputs, owner } = subject
    await leap(7200)
    const { timestamp } = await owner.client.getBlock()
    expect(Number(timestamp) - Date.now() / 1000).toBeGreaterThan(7000)
    await subject.recover('convert.preview', inputs['convert.preview'])
    const health = await (await fetch(`${subject.url}/health`)).json()
    expect(health).toMatchObject({ status: 'ok', chains: perChain({}, { status: 'ok' }) })
  })

  async function leap(seconds: number): Promise<void> {
    await subject.owner.client.increaseTime({ seconds })
    await subject.owner.client.mine({ blocks: 1 })
    await waitForBlock(subject.url, subject.chain)
  }
})

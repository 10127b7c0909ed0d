import { describe, expect, it } from 'vitest'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { moveClock, slowDown } from '../moveClock.ts'
import { recordSteps } from '../recordSteps.ts'
import { changeData, type Json } from './createTamperingFetch.ts'
import { chainId, chains, client, createVictim, toRequest } from './startVictim.ts'

const without =
  (...path: readonly string[]) =>
  (data: Json): Json => {
    const copy = structuredClone(data)
    const parent = path.slice(0, -1).reduce((object, name) => object[name], copy)
    parent[path.at(-1) ?? ''] = null
    return copy
  }

const set = (fields: object) => (data: Json) => ({ ...data, ...fields })

describe('a service with malformed responses', () => {
  it.each([
    ['convert.quote', 'quote', () => null],
    ['convert.quote', 'quote.tokenIn', without('tokenIn')],
    ['convert.quote', 'quote.route.0', without('route', '0')],
    ['convert.quote', 'quote.blockNumber', set({ blockNumber: 2 ** 53 })],
    ['approval.plan', 'plan', () => null],
    ['approval.plan', 'plan.steps', () => ({})],
    ['approval.plan', 'plan.blockNumber', set({ blockNumber: { toString: null } })],
    ['approval.plan', 'step.permit', without('steps', '0', 'permit')],
    ['approval.plan', 'typedData', without('steps', '0', 'typedData')],
    ['transaction.buildConvert', 'build', () => null],
    ['transaction.buildConvert', 'build.transaction', without('transaction')],
    ['transaction.buildConvert', 'build.issues', without('issues')],
    ['transaction.buildConvert', 'build.issues.0', set({ issues: [null] })],
    ['transaction.buildConvert', 'build.issues.0.code', set({ issues: [{ code: 'convert/dropped', message: '' }] })],
  ])(
    'error: convert/mismatch of %s with %s, before the wallet is asked for money',
    async (procedure, field, change) => {
      const agio = createVictim({ [procedure]: changeData(change) })
      const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
      const convert = async () => await agio.convert({ quote: await agio.quote(toRequest()), wallet })
      await expect(convert()).rejects.toMatchObject({ code: 'convert/mismatch', details: { field } })
      expect(wallet.prompts.filter(({ method }) => method !== 'eth_requestAccounts')).toEqual([])
    },
  )

  it.each([
    ['convert.receipt', 'null', () => null],
    ['convert.receipt', 'a status that is an object', set({ status: { toString: null } })],
    ['convert.receipt', 'a token that is a number', set({ tokenIn: 5 })],
    ['transaction.track', 'null', () => null],
  ])('a conversion that is sent succeeds even if %s returns %s', async (procedure, _, change) => {
    using clock = moveClock()
    const answerLate = (data: Json) => {
      clock.pass(20_000)
      return change(data)
    }
    const agio = createVictim({ [procedure]: changeData(answerLate) })
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const quote = await agio.quote(toRequest())
    const { receipt } = await recordSteps(agio.convert({ quote, wallet }))
    expect(receipt).toMatchObject({ status: 'success', amountOut: quote.amountOut })
  })

  it('a service that names a future block of an approval does not make the SDK wait for that block', async () => {
    let plans = 0
    const agio = createVictim({
      'transaction.status': changeData(set({ blockNumber: 2 ** 40 })),
      'approval.plan': changeData((plan: Json) => {
        plans += 1
        return plan
      }),
    })
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const quote = await agio.quote(toRequest())
    expect(await agio.convert({ quote, wallet, approval: 'approve' })).toMatchObject({ status: 'success' })
    // One before the approval, and others until the service has its block. The SDK gives up after twenty.
    expect(plans).toBeLessThan(21)
  })

  it('error: convert/mismatch with blockNumber for a quote of a future block, and nothing is signed', async () => {
    const agio = createVictim({
      'convert.quote': changeData((quote: Json) => ({ ...quote, blockNumber: quote.blockNumber + 10_000 })),
    })
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const quote = await agio.quote(toRequest())
    using clock = moveClock()
    slowDown(wallet, clock)
    const { error } = await recordSteps(agio.convert({ quote, wallet }))
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: 'blockNumber' } })
    expect(wallet.prompts.filter(({ method }) => method !== 'eth_requestAccounts')).toEqual([])
  })

  it('error: convert/simulation-failed for a balance that is too low and that no issue of a build names', async () => {
    const agio = createVictim({ 'transaction.buildConvert': changeData(set({ issues: [] })) })
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '1' } })
    const quote = await agio.quote(toRequest())
    using clock = moveClock()
    slowDown(wallet, clock)
    const { error } = await recordSteps(agio.convert({ quote, wallet }))
    expect(error).toMatchObject({ code: 'convert/simulation-failed', action: 'requote' })
    expect(await client.getTransactionCount({ address: wallet.address })).toBe(0)
  })

  it('the deadline of a request is the expiry of its quote, even if the service names another deadline', async () => {
    const agio = createVictim({ 'transaction.buildConvert': changeData((built: Json) => ({ ...built, deadline: 1 })) })
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const quote = await agio.quote(toRequest())
    const { steps } = await recordSteps(agio.convert({ quote, wallet }))
    const sent = steps.find(({ kind, status }) => kind === 'convert' && status === 'sent')
    expect(sent?.state.pending?.deadline).toBe(Date.parse(quote.expiresAt) / 1000)
  })
})

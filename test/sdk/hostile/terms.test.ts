import { describe, expect, it } from 'vitest'
import type { AgioQuoteData, QuoteRequest } from '../../../packages/sdk/src/index.ts'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { recordSteps } from '../recordSteps.ts'
import { changeData, type Json } from './createTamperingFetch.ts'
import { chain, chainId, chains, createLocalWallet, createVictim, client, toRequest } from './startVictim.ts'

const honest = createVictim({})
const farFuture = '2100-01-01T00:00:00.000Z'
const [tokenIn, tokenOut] = [chain.tokens.tAUD, chain.tokens.tUSD]

/** The changes of a quote that its request does not allow. */
const loosened: readonly [string, object, QuoteRequest, (quote: Json) => object][] = [
  ['minAmountOut', {}, toRequest(), ({ amountOut }) => ({ minAmountOut: (Number(amountOut) * 0.9994).toFixed(6) })],
  ['expiresAt', { validForSeconds: 60 }, toRequest(), () => ({ expiresAt: farFuture })],
  ['expiresAt', {}, toRequest(), () => ({ expiresAt: 'soon' })],
  [
    'maxAmountIn',
    { slippageBps: 5 },
    { chainId, tokenIn, tokenOut, amountOut: '6' },
    () => ({ maxAmountIn: '100.000000' }),
  ],
]

describe('a service that ignores the terms of a request', () => {
  it.each(loosened)('error: convert/mismatch with %s of a quote for %j', async (field, terms, request, change) => {
    const victim = createVictim({ 'convert.quote': changeData((quote: Json) => ({ ...quote, ...change(quote) })) })
    const refused = { code: 'convert/mismatch', details: { field } }
    await expect(victim.quote({ ...request, ...terms })).rejects.toMatchObject(refused)
  })

  it('error: convert/mismatch with expiresAt of a quote whose block is as far in the future as its expiry, and nothing is signed', async () => {
    const future = { expiresAt: farFuture, blockTimestamp: farFuture }
    const victim = createVictim({ 'convert.quote': changeData((quote: Json) => ({ ...quote, ...future })) })
    const wallet = await createLocalWallet()
    const { error } = await recordSteps(victim.convert({ quote: await victim.quote(toRequest()), wallet }))
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: 'expiresAt' } })
    expect(await client.getTransactionCount({ address: wallet.account.address })).toBe(0)
  })

  it.each([
    ['minAmountOut', { minAmountOut: '0.000001' }],
    ['expiresAt', { expiresAt: farFuture }],
  ])('error: convert/mismatch with %s of a quote that is renewed', async (field, change) => {
    const quote = await honest.quote(toRequest())
    const victim = createVictim({ 'convert.quote': changeData((renewed: Json) => ({ ...renewed, ...change })) })
    const refused = { code: 'convert/mismatch', details: { field } }
    await expect(victim.refresh(quote)).rejects.toMatchObject(refused)
  })

  it.each([
    ['minAmountOut', { minAmountOut: '0.000001' }],
    ['expiresAt', { expiresAt: farFuture }],
  ])('error: convert/mismatch with %s of a stored quote that is resumed, before a prompt', async (field, change) => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    await wallet.request({ method: 'eth_requestAccounts' })
    wallet.answer('reject')
    const { steps } = await recordSteps(honest.convert({ quote: await honest.quote(toRequest()), wallet }))
    const stored = steps.at(-1)
    if (!stored) throw new Error('The conversion has no steps')
    const prompted = wallet.prompts.length
    const quote = { ...stored.state.quote, ...change } as AgioQuoteData
    const step = { ...stored, state: { ...stored.state, quote } } as typeof stored
    const { error } = await recordSteps(honest.resume(step, { wallet }))
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field } })
    expect(wallet.prompts).toHaveLength(prompted)
  })
})

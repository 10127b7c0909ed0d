import { expect, it } from 'vitest'
import type { Eip1193Provider } from '../../../packages/sdk/src/index.ts'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { recordSteps } from '../recordSteps.ts'
import { changeData, type Json } from './createTamperingFetch.ts'
import { chainId, chains, client, createLocalWallet, createVictim, toRequest } from './startVictim.ts'

it.each<[string, (quote: Json) => object]>([
  ['tokenIn.decimals', ({ tokenIn }) => ({ tokenIn: { ...tokenIn, decimals: 18 } })],
  [
    'tokenOut.decimals',
    ({ tokenOut }) => ({ tokenOut: { ...tokenOut, decimals: 2 }, amountOut: '9.00', minAmountOut: '9.00' }),
  ],
])(
  'error: convert/mismatch with %s of a quote that differ from the token, and nothing is signed',
  async (field, change) => {
    const victim = createVictim({ 'convert.quote': changeData((quote: Json) => ({ ...quote, ...change(quote) })) })
    const wallet = await createLocalWallet('tUSD')
    const { error } = await recordSteps(victim.convert({ quote: await victim.quote(toRequest('tUSD')), wallet }))
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field, expected: '6' } })
    expect(await client.getTransactionCount({ address: wallet.account.address })).toBe(0)
  },
)

it('error: wallet/cannot-read of a wallet that refuses eth_call, before it is asked to sign', async () => {
  const agio = createVictim({})
  const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
  const limited: Eip1193Provider = {
    async request(args) {
      if (args.method !== 'eth_call') return await wallet.request(args)
      throw Object.assign(new Error('The method is not supported'), { code: 4200 })
    },
  }
  const { error } = await recordSteps(agio.convert({ quote: await agio.quote(toRequest()), wallet: limited }))
  expect(error).toMatchObject({ code: 'wallet/cannot-read', action: 'fix_input', details: { method: 'eth_call' } })
  expect(wallet.prompts.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
})

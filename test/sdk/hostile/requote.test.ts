import { erc20Abi } from 'viem'
import { expect, it } from 'vitest'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { recordSteps } from '../recordSteps.ts'
import { changeData, toErrorAnswer, type Changes, type Json } from './createTamperingFetch.ts'
import { attacker, chain, chainId, chains, client, createLocalWallet, createVictim, toRequest } from './startVictim.ts'

const expired = toErrorAnswer('svc/quote-expired', { expiresAt: '2026-01-01T00:00:00.000Z' })

/** Answers the first approval plan with an expired quote, and changes each quote after the first. */
function requoteWith(change: (quote: Json) => object): Changes {
  return {
    'approval.plan': (answer, { index }) => (index === 0 ? expired : answer),
    'convert.quote': changeData((quote: Json, { index }) => (index === 0 ? quote : { ...quote, ...change(quote) })),
  }
}

const changes: readonly [string, (quote: Json) => object][] = [
  ['spender', () => ({ spender: attacker })],
  ['tokenIn.decimals', ({ tokenIn }) => ({ tokenIn: { ...tokenIn, decimals: 18 } })],
  [
    'tokenOut.decimals',
    ({ tokenOut }) => ({ tokenOut: { ...tokenOut, decimals: 2 }, amountOut: '9.00', minAmountOut: '9.00' }),
  ],
  ['minAmountOut', () => ({ minAmountOut: '0.000001' })],
]

it.each(changes)(
  'error: convert/mismatch with %s that a requote changes, and a local account approves nothing',
  async (field, change) => {
    const victim = createVictim(requoteWith(change))
    const wallet = await createLocalWallet('tUSD')
    const { address } = wallet.account
    const { error, steps } = await recordSteps(victim.convert({ quote: await victim.quote(toRequest('tUSD')), wallet }))
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field } })
    expect(steps.at(-1)).toMatchObject({ kind: 'quote', status: 'failed' })
    expect(await client.getTransactionCount({ address })).toBe(0)
    const allowance = { address: chain.tokens.tUSD, functionName: 'allowance', args: [address, attacker] } as const
    expect(await client.readContract({ abi: erc20Abi, ...allowance })).toBe(0n)
  },
)

it('error: convert/mismatch with spender of a quote that `refresh` renews', async () => {
  const quote = await createVictim({}).quote(toRequest())
  const victim = createVictim({ 'convert.quote': changeData((renewed: Json) => ({ ...renewed, spender: attacker })) })
  const refused = { code: 'convert/mismatch', details: { field: 'spender', actual: attacker } }
  await expect(victim.refresh(quote)).rejects.toMatchObject(refused)
})

it('error: svc/quote-expired of a conversion that was requoted three times, also after it is resumed', async () => {
  let quotes = 0
  const victim = createVictim({
    'approval.plan': () => expired,
    'convert.quote': changeData((quote: Json) => {
      quotes += 1
      return quote as object
    }),
  })
  const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
  const { error, steps } = await recordSteps(victim.convert({ quote: await victim.quote(toRequest()), wallet }))
  expect(error).toMatchObject({ code: 'svc/quote-expired' })
  expect(quotes).toBe(4)
  const stored = steps.at(-1)
  if (!stored) throw new Error('The conversion has no steps')
  expect((await recordSteps(victim.resume(stored, { wallet }))).error).toMatchObject({ code: 'svc/quote-expired' })
  expect(quotes).toBe(4)
})

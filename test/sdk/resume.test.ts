import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { describe, expect, it } from 'vitest'
import { createAgio, type Step } from '../../packages/sdk/src/index.ts'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { readBalance } from '../harness/readBalance.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { recordSteps } from './recordSteps.ts'
import { pinContracts } from '../harness/pinContracts.ts'
import { agio, chain, chainId, chains, service } from './sharedService.ts'

// Another page, which shares nothing with the first.
const other = createAgio({ ...service, contracts: pinContracts(chains) })

const ways = [
  { name: 'an approval', from: 'tUSD', canBatch: false },
  { name: 'a batch', from: 'tAUD', canBatch: true },
] as const

describe.each(ways)('a conversion paid by $name', ({ from, canBatch }) => {
  const [tokenIn, tokenOut] = [tokenOf(chain, from), tokenOf(chain, 'tEUR')]
  const start = async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { [from]: '100' }, canBatch })
    return { wallet, quote: await agio.quote({ chainId, tokenIn, tokenOut, amountIn: '10' }) }
  }
  const spent = async ({ address }: TestWallet) => 100_000_000n - (await readBalance(chain, tokenIn, address))

  it('each step of a conversion that is done leads to its receipt, and nothing is asked or sent again', async () => {
    const { wallet, quote } = await start()
    const { steps, receipt } = await recordSteps(agio.convert({ quote, wallet }))
    const count = await countSent(wallet)
    const prompts = wallet.prompts.length
    const resumed = await Promise.all(steps.map((step) => other.resume(step, { wallet })))
    const hashes = new Set(resumed.map(({ transactionHash }) => transactionHash))
    expect(hashes).toEqual(new Set([receipt?.transactionHash]))
    expect(await countSent(wallet)).toBe(count)
    expect(wallet.prompts).toHaveLength(prompts)
    expect(await spent(wallet)).toBe(10_000_000n)
  })

  it('two pages that resume the same step while it is on its way convert once', async () => {
    const { wallet, quote } = await start()
    const stop = new AbortController()
    const stored: Step[] = []
    const onStep = (step: Step) => {
      stored.push(step)
      if (step.status === 'sent' && step.kind !== 'approve') stop.abort()
    }
    const { error } = await recordSteps(agio.convert({ quote, wallet, signal: stop.signal, onStep }))
    expect(error).toMatchObject({ code: 'convert/aborted' })
    const step = stored.at(-1) as Step
    const receipts = await Promise.all([other, agio].map((page) => page.resume(step, { wallet })))
    expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(1)
    expect(await spent(wallet)).toBe(10_000_000n)
  })
})

it('two conversions at equal quotes are two, also where one is stopped and resumed after the other', async () => {
  const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
  const [tokenIn, tokenOut] = [tokenOf(chain, 'tAUD'), tokenOf(chain, 'tUSD')]
  const quote = await agio.quote({ chainId, tokenIn, tokenOut, amountIn: '10' })
  const stop = new AbortController()
  const stored: Step[] = []
  const stopped = agio.convert({
    quote,
    wallet,
    signal: stop.signal,
    onStep: (step) => {
      stored.push(step)
      if (step.kind === 'permit') stop.abort()
    },
  })
  await expect(Promise.resolve(stopped)).rejects.toMatchObject({ code: 'convert/aborted' })
  const first = await agio.convert({ quote, wallet })
  const second = await other.resume(stored[0] as Step, { wallet })
  expect(second).toMatchObject({ status: 'success', amountIn: '10.000000' })
  expect(second.transactionHash).not.toBe(first.transactionHash)
  expect(await countSent(wallet)).toBe(2)
  expect(await readBalance(chain, tokenIn, wallet.address)).toBe(80_000_000n)
})

it('two pages that resume the same step at once, before anything was sent, convert once', async () => {
  const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
  const [tokenIn, tokenOut] = [tokenOf(chain, 'tAUD'), tokenOf(chain, 'tUSD')]
  const quote = await agio.quote({ chainId, tokenIn, tokenOut, amountIn: '10' })
  const stop = new AbortController()
  const { steps } = await recordSteps(agio.convert({ quote, wallet, signal: stop.signal, onStep: () => stop.abort() }))
  const step = steps[0] as Step
  const receipts = await Promise.all([agio, other].map((page) => page.resume(step, { wallet })))
  expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(1)
  expect(await countSent(wallet)).toBe(1)
})

function tokenOf({ tokens }: LocalChain, symbol: string): Address {
  return tokens[symbol] as Address
}

async function countSent({ address }: TestWallet): Promise<number> {
  return await connectOwner(chain).client.getTransactionCount({ address })
}

import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { describe, expect, it } from 'vitest'
import { createAgio, type Step, type Wallet } from '../../packages/sdk/src/index.ts'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { readBalance } from '../harness/readBalance.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { recordSteps, toText } from './recordSteps.ts'
import { pinContracts } from '../harness/pinContracts.ts'
import { agio, chain, chainId, chains, service } from './sharedService.ts'

// Another page, which shares nothing with the first.
const other = createAgio({ ...service, contracts: pinContracts(chains) })

const ways = [
  { name: 'a permit', from: 'tAUD', canBatch: false },
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
    for (const step of steps) {
      const resumed = await other.resume(step, { wallet })
      expect(resumed.transactionHash, toText(step)).toBe(receipt?.transactionHash)
    }
    expect(await countSent(wallet)).toBe(count)
    expect(wallet.prompts).toHaveLength(prompts)
    expect(await spent(wallet)).toBe(10_000_000n)
  })

  it('a wallet that sends and does not respond converts once: the transaction is found by its calldata', async () => {
    const { wallet, quote } = await start()
    const stop = new AbortController()
    const stored: Step[] = []
    const last = canBatch ? 'batch' : 'convert'
    const conversion = agio.convert({
      quote,
      wallet: forgetful(wallet, () => stored.at(-1)?.kind === last && stop.abort()),
      signal: stop.signal,
      onStep: (step) => void stored.push(step),
    })
    await expect(conversion).rejects.toMatchObject({ code: 'convert/aborted' })
    const asked = stored.findLast(({ status }) => status === 'waiting-for-wallet') as Step
    expect(asked).toMatchObject({ kind: last, state: { pending: { kind: last } } })
    const count = await countSent(wallet)
    for (const step of [asked, stored.at(-1) as Step]) {
      expect(await other.resume(step, { wallet })).toMatchObject({ status: 'success', amountIn: '10.000000' })
    }
    expect(await countSent(wallet)).toBe(count)
    expect(await spent(wallet)).toBe(10_000_000n)
  })

  it('a wallet that sends and then fails converts once', async () => {
    const { wallet, quote } = await start()
    const failing = forgetful(wallet, () => {
      throw Object.assign(new Error('Internal JSON-RPC error.'), { code: -32603 })
    })
    const { error, steps } = await recordSteps(agio.convert({ quote, wallet: failing }))
    // A batch is known to the wallet by the id that the conversion chose.
    expect(error === undefined).toBe(canBatch)
    expect([undefined, 'wallet/failed']).toContain((error as { code?: string } | undefined)?.code)
    const count = await countSent(wallet)
    expect(await other.resume(steps.at(-1) as Step, { wallet })).toMatchObject({ status: 'success' })
    expect(await countSent(wallet)).toBe(count)
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

/** A wallet that sends what the user confirms, and never reports it. */
function forgetful(wallet: TestWallet, onSent: () => void): Wallet {
  return {
    async request(args) {
      const result = await wallet.request(args)
      if (args.method !== 'eth_sendTransaction' && args.method !== 'wallet_sendCalls') return result
      if (!isLast(args)) return result
      onSent()
      return await new Promise(() => {})
    },
  }

  function isLast({ params }: { readonly params?: unknown }): boolean {
    // An approval is a call of the token.
    return !JSON.stringify(params).includes('"data":"0x095ea7b3') || JSON.stringify(params).includes('"calls"')
  }
}

function tokenOf({ tokens }: LocalChain, symbol: string): Address {
  return tokens[symbol] as Address
}

async function countSent({ address }: TestWallet): Promise<number> {
  return await connectOwner(chain).client.getTransactionCount({ address })
}

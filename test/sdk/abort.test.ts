import type { Address } from '@agio/core'
import { describe, expect, it } from 'vitest'
import type { AgioQuote, Step } from '../../packages/sdk/src/index.ts'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { partOf } from '../harness/partOf.ts'
import { readBalance } from '../harness/readBalance.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { recordSteps, toText } from './recordSteps.ts'
import { agio, chain, chainId, chains } from './sharedService.ts'

const tokenOf = (symbol: string) => chain.tokens[symbol] as Address
const quoteOf = (from: string): Promise<AgioQuote> =>
  agio.quote({ chainId, tokenIn: tokenOf(from), tokenOut: tokenOf('tEUR'), amountIn: '10' })
const spentOf = async ({ address }: TestWallet, symbol: string) =>
  100_000_000n - (await readBalance(chain, tokenOf(symbol), address))

describe.each([
  ['a permit', 'tAUD', false, 9],
  ['an approval', 'tUSD', false, 10],
  ['a batch', 'tAUD', true, 7],
] as const)('a conversion paid by %s that is stopped', (_, from, canBatch, stepCount) => {
  it.each(
    partOf(
      Array.from({ length: stepCount }, (__, index) => stepCount - 1 - index),
      5,
    ),
  )('a signal that is aborted at step %i stops it there, and resuming converts once', async (index) => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { [from]: '100' }, canBatch })
    const stop = new AbortController()
    const stored: Step[] = []
    let promptCount = 0
    const onStep = (step: Step) => {
      stored.push(step)
      if (stored.length !== index + 1) return
      promptCount = wallet.prompts.length
      stop.abort(new Error('The user left'))
    }
    const { error } = await recordSteps(
      agio.convert({ quote: await quoteOf(from), wallet, signal: stop.signal, onStep }),
    )
    // A signal that comes with the last step changes nothing.
    const isOver = toText(stored[index] as Step) === 'confirm done'
    expect(error === undefined).toBe(isOver)
    if (!isOver) expectStopped({ error, stored })
    expect(wallet.prompts).toHaveLength(promptCount)

    const receipt = await agio.resume(stored.at(-1) as Step, { wallet })
    expect(receipt).toMatchObject({ status: 'success', amountIn: '10.000000' })
    expect(await spentOf(wallet, from)).toBe(10_000_000n)
  })
})

function expectStopped({ error, stored }: { readonly error: unknown; readonly stored: readonly Step[] }) {
  const { pending } = stored.at(-1)?.state ?? {}
  const { transactionHash } = pending ?? {}
  expect(error).toMatchObject({ name: 'AgioError', code: 'convert/aborted', cause: { message: 'The user left' } })
  expect(error).toMatchObject({ details: transactionHash ? { transactionHash } : {} })
  const advice = pending ? { retryable: false, action: 'resume' } : { retryable: true, action: 'retry' }
  expect(error).toMatchObject(advice)
  expect(stored.at(-1)).toMatchObject({ status: 'failed', error: { code: 'convert/aborted', ...advice } })
  expect(String(error)).toContain(pending ? (transactionHash ?? 'may have sent it') : 'it has no pending transaction')
}

describe('a signal that is aborted', () => {
  it('nothing is asked with a signal that is aborted before', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const quote = await quoteOf('tAUD')
    const { error, told } = await recordSteps(agio.convert({ quote, wallet, signal: AbortSignal.abort() }))
    expect(error).toMatchObject({ code: 'convert/aborted' })
    expect(told).toEqual(['quote failed'])
    expect(wallet.prompts).toEqual([])
  })

  it('ends a conversion whose listener never returns from an earlier step', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const stop = new AbortController()
    const stored: Step[] = []
    const onStep = async (step: Step) => {
      stored.push(step)
      if (stored.length > 1) return
      stop.abort()
      await new Promise(() => {})
    }
    const quote = await quoteOf('tAUD')
    const { error } = await recordSteps(agio.convert({ quote, wallet, signal: stop.signal, onStep }))
    expect(error).toMatchObject({ code: 'convert/aborted' })
    expect(stored.map(toText)).toEqual(['quote done', 'quote failed'])
  })

  it('what the user confirms after the abort is found when the conversion is resumed', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const stop = new AbortController()
    let confirm = (_: 'confirm') => {}
    wallet.answer(({ method }) => {
      if (method !== 'eth_sendTransaction') return 'confirm'
      setTimeout(() => stop.abort(), 10)
      return new Promise((resolve) => {
        confirm = resolve
      })
    })
    const { error, steps } = await recordSteps(
      agio.convert({ quote: await quoteOf('tAUD'), wallet, signal: stop.signal }),
    )
    expect(error).toMatchObject({ code: 'convert/aborted', details: {}, retryable: false, action: 'resume' })
    expect(String(error)).toContain('may send it later: resume the conversion')
    confirm('confirm')
    const prompts = wallet.prompts.length
    expect(await agio.resume(steps.at(-1) as Step, { wallet })).toMatchObject({ status: 'success' })
    expect(wallet.prompts).toHaveLength(prompts)
    expect(await spentOf(wallet, 'tAUD')).toBe(10_000_000n)
  })
})

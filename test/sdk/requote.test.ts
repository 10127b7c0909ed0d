import { expect, it } from 'vitest'
import type { Step } from '../../packages/sdk/src/index.ts'
import { recordSteps } from './recordSteps.ts'
import { startSdkStack } from './startSdkStack.ts'

const chainId = 84532

it('an expired quote is replaced within the accepted limit, or fails', async () => {
  await using stack = await startSdkStack()
  const { agio, scenarios } = stack
  const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
  const quote = await agio.quote({ ...stack.request, slippageBps: 20 })

  await stack.pass(61)
  const failing = await recordSteps(agio.convert({ quote, wallet, onQuoteExpired: 'fail' }))
  expect(failing.error).toMatchObject({ code: 'svc/quote-expired', details: { expiresAt: quote.expiresAt } })
  expect(failing.told).toEqual(['quote done', 'quote failed'])

  // A worse price than at the quote, and better than its limit.
  await scenarios.run('price-move', { chainId, symbol: 'tAUD', percent: -0.1 })
  const requoted = await recordSteps(agio.convert({ quote: JSON.parse(JSON.stringify(quote)) as typeof quote, wallet }))
  expect(requoted.error).toBeUndefined()
  expect(requoted.told.slice(0, 3)).toEqual(['quote done', 'quote needed', 'quote done'])
  expect(requoted.steps[2]).toMatchObject({ isRequote: true, quote: { minAmountOut: quote.minAmountOut } })
  expect(requoted.receipt).toMatchObject({ status: 'success', amountIn: '10.000000' })
  expect(Number(requoted.receipt?.amountOut)).toBeGreaterThan(Number(quote.minAmountOut))

  const beyond = await agio.quote({ ...stack.request, slippageBps: 20 })
  await stack.pass(61)
  await scenarios.run('price-move', { chainId, symbol: 'tAUD', percent: -1 })
  const refused = await recordSteps(agio.convert({ quote: beyond, wallet }))
  expect(refused.error).toMatchObject({ code: 'svc/below-min-target' })
  expect(refused.told).toEqual(['quote done', 'quote needed', 'quote failed'])
})

it('a quote that expires while the user signs is replaced, and the user signs again', async () => {
  await using stack = await startSdkStack()
  const { agio } = stack
  const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
  const quote = await agio.quote(stack.request)
  let isSlow = true
  wallet.answer(async ({ method }) => {
    if (method === 'eth_signTypedData_v4' && isSlow) await stack.pass(61)
    if (method === 'eth_signTypedData_v4') isSlow = false
    return 'confirm' as const
  })
  const { told, receipt, error } = await recordSteps(agio.convert({ quote, wallet }))
  expect(error).toBeUndefined()
  expect(receipt).toMatchObject({ status: 'success' })
  expect(told.filter((text) => text === 'permit done')).toHaveLength(2)
  expect(told.filter((text) => text === 'quote done')).toHaveLength(2)
})

it('a wallet that was asked and did not respond is asked again only when the deadline has passed on chain', async () => {
  await using stack = await startSdkStack()
  const { agio } = stack
  const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
  const quote = await agio.quote(stack.request)
  const stop = new AbortController()
  wallet.answer(async ({ method }) => {
    if (method !== 'eth_sendTransaction') return 'confirm' as const
    stop.abort()
    return await new Promise<never>(() => {})
  })
  const { steps, error } = await recordSteps(agio.convert({ quote, wallet, signal: stop.signal }))
  expect(error).toMatchObject({ code: 'convert/aborted' })
  const asked = steps.at(-1)
  expect(asked).toMatchObject({ kind: 'convert', status: 'failed', state: { pending: { kind: 'convert' } } })

  wallet.answer('confirm')
  const prompts = wallet.prompts.length
  const promptsAtDeadline: number[] = []
  const receipt = await agio.resume(asked as Step, {
    wallet,
    onStep: async (step) => {
      if (step.kind !== 'confirm' || step.status !== 'needed' || step.transactionHash !== undefined) return
      promptsAtDeadline.push(wallet.prompts.length)
      await stack.pass(61)
    },
  })
  expect(receipt).toMatchObject({ status: 'success', amountIn: '10.000000' })
  expect(promptsAtDeadline).toEqual([prompts])
  expect(wallet.prompts.slice(prompts).map(({ method }) => method)).toEqual([
    'eth_signTypedData_v4',
    'eth_sendTransaction',
  ])

  // The old step leads to the conversion of the later quote.
  const again = await agio.resume(asked as Step, { wallet })
  expect(again.transactionHash).toBe(receipt.transactionHash)
  expect(wallet.prompts).toHaveLength(prompts + 2)
})

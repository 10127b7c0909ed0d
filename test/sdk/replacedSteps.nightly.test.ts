import { afterEach, describe, expect, it } from 'vitest'
import type { Step } from '../../packages/sdk/src/index.ts'
import { eventually } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'
import { startPending } from './pendingConversion.ts'
import { startSdkStack } from './startSdkStack.ts'

const stack = setUp(startSdkStack)
afterEach(() => stack.scenarios.reset())

/** Starts a pending conversion in a page that can be closed. */
async function startInPage() {
  const page = new AbortController()
  const pending = await startPending(stack, { signal: page.signal })
  const close = async () => {
    page.abort()
    await pending.ended
  }
  return { ...pending, close }
}

describe('a running conversion whose transaction the client replaces', () => {
  it('names a speed-up at once, so that a reloaded page speeds up the newest transaction', async () => {
    const pending = await startInPage()
    const { wallet, step, newest, close } = pending
    const faster = await stack.agio.speedUp(step, { wallet })
    expect(newest()).toMatchObject({
      kind: 'confirm',
      transactionHash: faster,
      state: { pending: { transactionHash: faster } },
    })
    const stored = newest()
    await close()

    const fastest = await stack.agio.speedUp(stored, { wallet })
    await stack.mine()
    expect(await stack.agio.resume(stored, { wallet })).toMatchObject({ status: 'success', transactionHash: fastest })
    expect(await stack.readSpent(pending.wallet)).toBe(10_000_000n)
  })

  it('publishes one step for each speed-up, and follows the last one', async () => {
    const pending = await startInPage()
    const { wallet, step, hash, newest, ended } = pending
    const faster = await stack.agio.speedUp(step, { wallet })
    expect(newest().transactionHash).toBe(faster)
    const fastest = await stack.agio.speedUp(newest(), { wallet })
    expect(newest().transactionHash).toBe(fastest)
    await stack.mine()
    const { receipt, steps, told } = await ended
    expect(receipt).toMatchObject({ status: 'success', transactionHash: fastest })
    const replacements = steps.filter(({ kind, status }) => kind === 'confirm' && status === 'sent')
    expect(replacements).toMatchObject([
      { transactionHash: faster, replaced: hash, replacement: 'speed-up' },
      { transactionHash: fastest, replaced: faster, replacement: 'speed-up' },
    ])
    const first = told.indexOf('confirm needed')
    expect(told.slice(first, first + 2)).toEqual(['confirm needed', 'confirm sent'])
    expect(await stack.readSpent(pending.wallet)).toBe(10_000_000n)
  })

  it('names a cancellation at once, so that a reloaded page replaces the cancellation', async () => {
    const pending = await startInPage()
    const { wallet, step, hash, newest, close } = pending
    const cancelled = await stack.agio.cancel(step, { wallet })
    expect(newest()).toMatchObject({
      kind: 'confirm',
      status: 'sent',
      transactionHash: cancelled,
      replacement: 'cancel',
      state: { pending: { transactionHash: hash, cancelHash: cancelled } },
    })
    const stored = newest()
    await close()

    const replacedBy = await stack.agio.speedUp(stored, { wallet })
    expect(await stack.client.getTransaction({ hash: replacedBy })).toMatchObject({ input: '0x', value: 0n })
    const error: Promise<unknown> = stack.agio.resume(stored, { wallet }).catch((thrown: unknown) => thrown)
    await stack.mine()
    const details = { transactionHash: hash, replacedBy, kind: 'cancel' }
    expect(await error).toMatchObject({ code: 'convert/replaced', details })
    expect(await stack.readSpent(pending.wallet)).toBe(0n)
  })

  it('follows the first transaction if that one is mined although it was sped up', async () => {
    const pending = await startInPage()
    const { wallet, step, hash, newest, ended } = pending
    const signed = await stack.client.getTransaction({ hash })
    const faster = await stack.agio.speedUp(step, { wallet })
    expect(newest().transactionHash).toBe(faster)
    // The node forgets the speed-up and gets the first transaction again.
    await stack.client.dropTransaction({ hash: faster })
    const { from, to, input, gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = signed
    const again = { from, to, data: input, gas: `0x${gas.toString(16)}`, nonce: `0x${nonce.toString(16)}` }
    const fees = {
      maxFeePerGas: `0x${maxFeePerGas?.toString(16)}`,
      maxPriorityFeePerGas: `0x${maxPriorityFeePerGas?.toString(16)}`,
    }
    expect(await wallet.request({ method: 'eth_sendTransaction', params: [{ ...again, ...fees }] })).toBe(hash)
    await stack.mine()
    const { receipt } = await ended
    expect(receipt).toMatchObject({ status: 'success', transactionHash: hash })
    expect(await stack.readSpent(pending.wallet)).toBe(10_000_000n)
  })

  it('publishes a speed-up after the step that is being stored', async () => {
    const { promise: isStored, resolve: store } = Promise.withResolvers<void>()
    const onStep = async ({ kind }: Step) => await (kind === 'confirm' ? isStored : undefined)
    const { wallet, step, newest, ended } = await startPending(stack, { onStep })
    const faster = await stack.agio.speedUp(step, { wallet })
    expect(newest()).toEqual(step)
    store()
    await expect.poll(() => newest().transactionHash, eventually).toBe(faster)
    await stack.mine()
    const { receipt, told } = await ended
    expect(receipt).toMatchObject({ status: 'success', transactionHash: faster })
    const first = told.indexOf('confirm needed')
    expect(told.slice(first, first + 2)).toEqual(['confirm needed', 'confirm sent'])
  })

  it('error: that of onStep for the step of a speed-up, whose hash is returned', async () => {
    const full = new Error('the disk is full')
    const onStep = ({ kind, status }: Step) => {
      if (kind === 'confirm' && status === 'sent') throw full
    }
    const { wallet, step, ended } = await startPending(stack, { onStep })
    const faster = await stack.agio.speedUp(step, { wallet })
    expect((await ended).error).toBe(full)
    expect(await stack.client.getTransaction({ hash: faster })).toMatchObject({ hash: faster })
  })
})

import { createWalletClient, http, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { createAgio, type Eip1193Provider, type Step } from '../../packages/sdk/src/index.ts'
import { testAccounts, type TestWallet } from '../../packages/sdk/src/testing.ts'
import { eventually } from '../harness/timeLimits.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { setUp } from '../harness/setUp.ts'
import { changeData, createTamperingFetch, type Json } from './hostile/createTamperingFetch.ts'
import { startAbandoned, startPending } from './pendingConversion.ts'
import { recordSteps } from './recordSteps.ts'
import { startSdkStack } from './startSdkStack.ts'

const chainId = 84532
const unknownHash: Hex = `0x${'ab'.repeat(32)}`

const stack = setUp(startSdkStack)
afterEach(() => stack.scenarios.reset())

const lastPrompt = ({ prompts }: TestWallet) => prompts.at(-1)?.params[0] as Readonly<Record<string, string>>

describe('speedUp', () => {
  it('sends the same call with the same nonce and higher fees by one prompt, whose receipt is the receipt of the conversion', async () => {
    const { wallet, step, hash, ended } = await startPending(stack)
    const original = await stack.client.getTransaction({ hash })
    const prompted = wallet.prompts.length
    const faster = await stack.agio.speedUp(step, { wallet })
    expect(wallet.prompts).toHaveLength(prompted + 1)

    const replacement = await stack.client.getTransaction({ hash: faster })
    const { from, to, input, value, nonce } = original
    expect(replacement).toMatchObject({ from, to, input, value, nonce })
    expect(replacement.maxFeePerGas).toBeGreaterThan(((original.maxFeePerGas ?? 0n) * 11n) / 10n)
    expect(replacement.maxPriorityFeePerGas).toBeGreaterThan(((original.maxPriorityFeePerGas ?? 0n) * 11n) / 10n)

    await stack.mine()
    const { receipt, steps } = await ended
    expect(receipt).toMatchObject({ status: 'success', transactionHash: faster })
    expect(steps.find(({ kind, status }) => kind === 'confirm' && status === 'sent')).toMatchObject({
      transactionHash: faster,
      replaced: hash,
    })
    expect(await stack.readSpent(wallet)).toBe(10_000_000n)
    // The step that a closed page has stored leads to the same receipt.
    expect(await stack.agio.resume(step, { wallet })).toMatchObject({ transactionHash: faster })
    expect(wallet.prompts).toHaveLength(prompted + 1)
  })

  it('what the user confirms after the page was closed is followed by the page that resumes', async () => {
    const { wallet, step, hash } = await startAbandoned(stack)
    const { promise: decision, resolve: decide } = Promise.withResolvers<'confirm'>()
    wallet.answer(() => decision)
    const closing = new AbortController()
    const prompted = wallet.prompts.length
    const replacing = stack.agio.speedUp(step, { wallet, signal: closing.signal })
    await expect.poll(() => wallet.prompts.length, eventually).toBe(prompted + 1)
    closing.abort()
    await expect(replacing).rejects.toMatchObject({ code: 'convert/aborted' })
    decide('confirm')
    // The node forgets the transaction once it has its replacement.
    await expect
      .poll(() => wallet.request({ method: 'eth_getTransactionByHash', params: [hash] }), eventually)
      .toBeNull()
    await stack.mine()
    const receipt = await stack.agio.resume(step, { wallet })
    expect(receipt.transactionHash).not.toBe(hash)
    expect(wallet.prompts).toHaveLength(prompted + 1)
    expect(await stack.readSpent(wallet)).toBe(10_000_000n)
  })

  it('a client of viem that signs itself replaces what it sent', async () => {
    const account = privateKeyToAccount(testAccounts[3].privateKey)
    const wallet = createWalletClient({ account, transport: http(stack.chain.rpcUrl) })
    await stack.scenarios.run('no-mining', { chainId })
    const hash = await wallet.sendTransaction({ chain: null, to: account.address, value: 5n })
    const faster = await stack.agio.speedUp({ chainId, transactionHash: hash }, { wallet })
    const cancelled = await stack.agio.cancel({ chainId, transactionHash: faster }, { wallet })
    await stack.mine()
    const { nonce, value, input, blockNumber } = await stack.client.getTransaction({ hash: cancelled })
    expect({ nonce, value, input, isMined: blockNumber !== null }).toMatchObject({
      nonce: (await stack.client.getTransactionCount({ address: account.address })) - 1,
      value: 0n,
      input: '0x',
      isMined: true,
    })
  })

  it('an approval that is sped up counts, and the conversion goes on', async () => {
    const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
    const quote = await stack.agio.quote(stack.request)
    let faster: Hex = '0x'
    const onStep = async (step: Step) => {
      if (step.kind !== 'approve') return
      if (step.status === 'waiting-for-wallet') await stack.scenarios.run('no-mining', { chainId })
      if (step.status !== 'sent' || faster !== '0x') return
      faster = await stack.agio.speedUp(step, { wallet })
      await stack.mine()
    }
    const { receipt, steps } = await recordSteps(stack.agio.convert({ quote, wallet, onStep, approval: 'approve' }))
    expect(receipt).toMatchObject({ status: 'success' })
    const approvals = steps.filter(({ kind, status }) => kind === 'approve' && status !== 'needed').slice(1)
    expect(approvals.map(({ status }) => status)).toEqual(['sent', 'sent', 'done'])
    expect(approvals.slice(1).map(({ transactionHash }) => transactionHash)).toEqual([faster, faster])
    expect(await stack.readSpent(wallet)).toBe(10_000_000n)
  })
})

describe('cancel', () => {
  it('error: convert/replaced of the conversion once an empty transfer to the wallet itself is mined', async () => {
    const { wallet, step, hash, ended } = await startPending(stack)
    const replacedBy = await stack.agio.cancel(step, { wallet })
    const { address } = wallet
    expect(lastPrompt(wallet)).toMatchObject({ from: address, to: address, data: '0x', value: '0x0' })
    await stack.mine()
    const details = { transactionHash: hash, replacedBy, kind: 'cancel' }
    expect((await ended).error).toMatchObject({ code: 'convert/replaced', details })
    expect(await stack.client.getTransactionReceipt({ hash: replacedBy })).toMatchObject({ status: 'success' })
    expect(await stack.readSpent(wallet)).toBe(0n)
  })

  it('a transaction that is mined before its cancellation converts, and the cancellation is refused', async () => {
    const { wallet, step, hash, ended } = await startPending(stack)
    wallet.answer(async () => {
      await stack.mine()
      return 'confirm' as const
    })
    await expect(stack.agio.cancel(step, { wallet })).rejects.toMatchObject({
      code: 'svc/already-mined',
      retryable: false,
    })
    expect((await ended).receipt).toMatchObject({ status: 'success', transactionHash: hash })
    expect(await stack.readSpent(wallet)).toBe(10_000_000n)
  })
})

describe('what is refused', () => {
  it('error: svc/already-mined for a transaction that is mined, without a prompt', async () => {
    const { wallet, step, ended } = await startPending(stack)
    await stack.mine()
    await ended
    const prompted = wallet.prompts.length
    await expect(stack.agio.speedUp(step, { wallet })).rejects.toMatchObject({ code: 'svc/already-mined' })
    expect(wallet.prompts).toHaveLength(prompted)
  })

  it('error: svc/transaction-not-found for a hash that no node has, and convert/invalid-step for a step without one', async () => {
    const { wallet, step, hash, ended } = await startPending(stack)
    const unknown = stack.agio.cancel({ chainId, transactionHash: unknownHash }, { wallet })
    await expect(unknown).rejects.toMatchObject({ code: 'svc/transaction-not-found' })
    const { pending: _, ...state } = step.state
    const unsent = { ...step, kind: 'convert', status: 'needed', state } as Step
    await expect(stack.agio.cancel(unsent, { wallet })).rejects.toMatchObject({ code: 'convert/invalid-step' })
    await stack.mine()
    expect((await ended).receipt).toMatchObject({ transactionHash: hash })
  })

  it('error: wallet/account-changed for a transaction of another account, without a prompt', async () => {
    const { step, hash, ended } = await startPending(stack)
    const other = await stack.createFundedWallet({})
    for (const target of [step, { chainId, transactionHash: hash } as const]) {
      await expect(stack.agio.cancel(target, { wallet: other })).rejects.toMatchObject({
        code: 'wallet/account-changed',
        details: { actual: other.address },
      })
    }
    expect(other.prompts.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
    await stack.mine()
    await ended
  })

  it('error: wallet/rejected when the user refuses, and the conversion goes on', async () => {
    const { wallet, step, hash, ended } = await startPending(stack)
    wallet.answer('reject')
    await expect(stack.agio.speedUp(step, { wallet })).rejects.toMatchObject({
      code: 'wallet/rejected',
      action: 'retry',
    })
    await stack.mine()
    expect((await ended).receipt).toMatchObject({ transactionHash: hash })
  })

  it('error: wallet/nonce-changed when the wallet takes the next nonce', async () => {
    const { wallet, step, ended } = await startPending(stack)
    const stubborn: Eip1193Provider = {
      async request({ method, params }) {
        if (method !== 'eth_sendTransaction') return await wallet.request({ method, params })
        const [{ nonce: _, ...transaction }] = params as [Record<string, unknown>]
        return await wallet.request({ method, params: [transaction] })
      },
    }
    const nonce = await stack.client.getTransactionCount({ address: wallet.address })
    const details = { expected: nonce, actual: nonce + 1, transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) }
    await expect(stack.agio.cancel(step, { wallet: stubborn })).rejects.toMatchObject({
      code: 'wallet/nonce-changed',
      retryable: false,
      details,
    })
    await stack.mine()
    expect((await ended).receipt).toMatchObject({ status: 'success' })
  })

  // 0.001 ETH per gas.
  const costly = '0x38d7ea4c68000'
  const changes = [
    ['nonce', 'speed-up', { nonce: '0x63' }],
    ['to', 'speed-up', { to: '0x0000000000000000000000000000000000000bad' }],
    ['data', 'speed-up', { data: '0x' }],
    ['value', 'speed-up', { value: '0x1' }],
    ['maxPriorityFeePerGas', 'cancel', { maxPriorityFeePerGas: costly, maxFeePerGas: costly }],
    ['maxFeePerGas', 'speed-up', { maxFeePerGas: costly }],
    ['maxPriorityFeePerGas', 'speed-up', { maxPriorityFeePerGas: '0x1' }],
    ['gas', 'cancel', { gas: '0x1c9c380' }],
    ['nonce', 'cancel', { nonce: '0x63' }],
    ['to', 'cancel', { to: '0x0000000000000000000000000000000000000bad' }],
    ['data', 'cancel', { data: '0xa9059cbb' }],
    ['value', 'cancel', { value: '0x1' }],
    ['from', 'speed-up', { from: '0x0000000000000000000000000000000000000bad' }],
    ['chainId', 'speed-up', { chainId: '0x1' }],
  ] as const
  it.each(changes)('error: convert/mismatch for another %s of a %s, without a prompt', async (field, kind, change) => {
    const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
    const [from] = (await wallet.request({ method: 'eth_requestAccounts' })) as [Hex]
    await stack.scenarios.run('no-mining', { chainId })
    const params = [{ from, to: stack.chain.tokens.tAUD, data: '0x18160ddd', gas: '0x30d40' }]
    const transactionHash = (await wallet.request({ method: 'eth_sendTransaction', params })) as Hex
    const alter = (built: Json) => ({ ...built, transaction: { ...built.transaction, ...change } })
    const fetch = createTamperingFetch({ 'transaction.buildReplace': changeData(alter) })
    const hostile = createAgio({ url: stack.url, apiKey, fetch })
    const prompted = wallet.prompts.length
    const target = { chainId, transactionHash } as const
    const replacing = kind === 'cancel' ? hostile.cancel(target, { wallet }) : hostile.speedUp(target, { wallet })
    await expect(replacing).rejects.toMatchObject({ code: 'convert/mismatch', details: { field } })
    expect(wallet.prompts).toHaveLength(prompted)
    await stack.mine()
  })
})

import type { Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { createAgio, type Step } from '../../packages/sdk/src/index.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'
import { startAbandoned, startPending } from './pendingConversion.ts'
import { moveClock, slowDown } from './moveClock.ts'
import { recordSteps } from './recordSteps.ts'
import { startSdkStack } from './startSdkStack.ts'

const chainId = 84532
const otherChainId = 421614

const stack = setUp(startSdkStack)
afterEach(() => stack.scenarios.reset())

describe('a conversion that a configured node watches, whose wallet is on another chain while its transaction is replaced', () => {
  it.each([
    ['is followed to a speed-up of the wallet while it is waited for', 'speedUp', false],
    ['is followed to a speed-up of the wallet and is resumed from a stored step', 'speedUp', true],
    ['ends as replaced by a cancellation of the wallet while it is waited for', 'cancel', false],
    ['ends as replaced by a cancellation of the wallet and is resumed from a stored step', 'cancel', true],
  ] as const)('%s', async (_, replace, isResumed) => {
    const [nodes, contracts] = [{ [chainId]: stack.chain.rpcUrl }, { [chainId]: stack.chain.deployment }]
    const agio = createAgio({ url: stack.url, apiKey, contracts, nodes })
    const { wallet, step, hash, ended } = await (isResumed ? startAbandoned : startPending)({ ...stack, agio })
    const replacedBy = await wallet[replace](hash)
    wallet.setChain(otherChainId)
    await stack.mine()
    const prompted = wallet.prompts.length
    const run = isResumed ? await recordSteps(agio.resume(step, { wallet })) : await ended
    expect(wallet.prompts).toHaveLength(prompted)
    expect(wallet.chainId).toBe(otherChainId)
    expect(await stack.readSpent(wallet)).toBe(replace === 'speedUp' ? 10_000_000n : 0n)
    const converted = { receipt: { status: 'success', transactionHash: replacedBy, verifiedBy: 'node' } }
    const details = { transactionHash: hash, replacedBy, kind: 'cancel' }
    const ending = { error: { code: 'convert/replaced', action: 'requote', details } }
    expect(run).toMatchObject(replace === 'speedUp' ? converted : ending)
  })
})

describe('a conversion whose wallet is on another chain', () => {
  it('waits until the wallet is back, although the service has the receipt', async () => {
    const { wallet, hash, ended } = await startPending(stack)
    wallet.setChain(otherChainId)
    await stack.mine()
    const receiptOf = () => stack.agio.api.convert.receipt.query({ chainId, transactionHash: hash })
    await expect.poll(receiptOf, eventually).toMatchObject({ status: 'success' })
    expect(await Promise.race([ended, Promise.resolve('waits')])).toBe('waits')
    wallet.setChain(chainId)
    expect((await ended).receipt).toMatchObject({ status: 'success', verifiedBy: 'wallet' })
  })

  it('error: wallet/wrong-chain with the action resume after a minute, and resuming returns the receipt', async () => {
    const { wallet, hash, ended } = await startPending(stack)
    wallet.setChain(otherChainId)
    await stack.mine()
    using clock = moveClock()
    slowDown(wallet, clock)
    const { error, steps } = await ended
    expect(error).toMatchObject({ code: 'wallet/wrong-chain', action: 'resume', details: { expected: chainId } })
    wallet.setChain(chainId)
    const receipt = await stack.agio.resume(steps.at(-1) as Step, { wallet })
    expect(receipt).toMatchObject({ status: 'success', transactionHash: hash })
  })
})

describe('a conversion that is replaced', () => {
  it('by a conversion within its limits has the receipt of that one, so that no application converts again', async () => {
    const { wallet, step, hash } = await startAbandoned(stack, { approval: 'approve' })
    const { maxFeePerGas, maxPriorityFeePerGas, nonce } = await stack.client.getTransaction({ hash })
    const { quote: stored } = step.state
    const quote = await stack.agio.quote({ ...stored.request, slippageBps: 50 })
    const { transaction } = await stack.agio.api.transaction.buildConvert.query({
      quote: quote.quote,
      userAddress: wallet.address,
    })
    const toHex = (value: bigint | number): Hex => `0x${value.toString(16)}`
    const fees = {
      maxFeePerGas: toHex(2n * (maxFeePerGas ?? 0n)),
      maxPriorityFeePerGas: toHex(2n * (maxPriorityFeePerGas ?? 0n)),
    }
    const params = [{ ...transaction, ...fees, nonce: toHex(nonce) }]
    const replacedBy = (await wallet.request({ method: 'eth_sendTransaction', params })) as Hex
    await stack.mine()
    const receipt = await stack.agio.resume(step, { wallet })
    expect(receipt).toMatchObject({ status: 'success', transactionHash: replacedBy })
    expect(await stack.readSpent(wallet)).toBe(10_000_000n)
  })
})

describe('a transaction that was cancelled before the service looked for it', () => {
  /** Creates a client that records the hashes of its requests, and the hashes of responses with 404. */
  function watchRequests() {
    const [asked, unknown]: [string[], string[]] = [[], []]
    const agio = createAgio({
      url: stack.url,
      apiKey,
      contracts: { [chainId]: stack.chain.deployment },
      async fetch(input, init) {
        const response = await fetch(input, init)
        const hash = /"transactionHash":"(0x\w+)"/.exec(init?.body as string)?.[1] ?? ''
        if (/transaction\.(track|status)$/.test(input as string)) asked.push(hash)
        if (response.status === 404) unknown.push(hash)
        return response
      },
    })
    const countAsked = (hash: Hex) => asked.filter((each) => each === hash).length
    return { agio, unknown, countAsked }
  }

  it('is a conversion that is resumed: the service is asked for the cancellation', async () => {
    const { wallet, step } = await startAbandoned(stack)
    const faster = await stack.agio.speedUp(step, { wallet })
    const cancelHash = await stack.agio.cancel({ chainId, transactionHash: faster }, { wallet })
    const { cursor: _, ...pending } = { ...step.state.pending, transactionHash: faster, cancelHash }
    const { agio, unknown, countAsked } = watchRequests()
    const ended = recordSteps(agio.resume({ ...step, state: { ...step.state, pending } } as Step, { wallet }))
    await expect.poll(() => countAsked(cancelHash), eventually).toBeGreaterThan(2)
    await stack.mine()
    const details = { transactionHash: faster, replacedBy: cancelHash, kind: 'cancel' }
    expect(await ended).toMatchObject({ error: { code: 'convert/replaced', details } })
    expect(unknown).toEqual([])
  })
})

describe('a service behind a proxy that does not pass transaction/track on', () => {
  it('is watched by the node of the wallet', async () => {
    const agio = createAgio({
      url: stack.url,
      apiKey,
      contracts: 'service',
      fetch: async (input, init) =>
        (input as string).endsWith('transaction.track')
          ? new Response('Not found', { status: 404 })
          : await fetch(input, init),
    })
    const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
    const quote = await agio.quote(stack.request)
    let faster: Hex = '0x'
    const onStep = async (step: Step) => {
      if (step.kind !== 'convert') return
      if (step.status === 'waiting-for-wallet') await stack.scenarios.run('no-mining', { chainId })
      if (step.status !== 'sent') return
      faster = await wallet.speedUp(step.transactionHash)
      await stack.mine()
    }
    const { receipt } = await recordSteps(agio.convert({ quote, wallet, onStep }))
    expect(receipt).toMatchObject({ status: 'success', transactionHash: faster })
  })
})

import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAgio, type Agio, type Step } from '../../packages/sdk/src/index.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'
import { startAbandoned } from './pendingConversion.ts'
import { recordSteps } from './recordSteps.ts'
import { startSdkStack } from './startSdkStack.ts'

const chainId = 84532

const stack = setUp(startSdkStack)
let clients: readonly [Agio, Agio]
beforeAll(async () => {
  // Like two tabs of a page, they share nothing but the locks of their origin.
  const create = () => createAgio({ url: stack.url, apiKey, contracts: 'service' })
  clients = [create(), create()]
})
afterEach(() => stack.scenarios.reset())

const isQueued = (told: string) => told.startsWith('queue ')

/** Starts the same conversion with both clients, so that the second one waits for the first one to be mined. */
async function convertTwice({ signal }: { readonly signal?: AbortSignal } = {}) {
  const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
  await wallet.request({ method: 'eth_requestAccounts' })
  const quotes = await Promise.all(clients.map((agio) => agio.quote({ ...stack.request, validForSeconds: 300 })))
  const waiting: Step[] = []
  const onSent = async ({ kind, status }: Step) => {
    if (kind === 'permit' && status === 'needed') await stack.scenarios.run('no-mining', { chainId })
  }
  const [one, two] = quotes.map((quote, index) => {
    const onStep = index === 0 ? onSent : (step: Step) => void waiting.push(step)
    return () => recordSteps(clients[index]!.convert({ quote, wallet, onStep, ...(index === 1 && { signal }) }))
  }) as [() => ReturnType<typeof recordSteps>, () => ReturnType<typeof recordSteps>]
  const first = one()
  await expect.poll(() => wallet.prompts.at(-1)?.method, eventually).toBe('eth_sendTransaction')
  const second = two()
  await expect.poll(() => waiting.at(-1), eventually).toMatchObject({ kind: 'queue', status: 'needed' })
  return { wallet, first, second, step: waiting.at(-1) as Step }
}

describe('two clients that convert one token of one account at once', () => {
  it('take turns until the first conversion is mined, and both convert', async () => {
    const { wallet, first, second } = await convertTwice()
    expect(wallet.prompts.map(({ method }) => method)).not.toContain('wallet_sendCalls')
    const prompted = wallet.prompts.length
    await stack.mine()
    const [before, after] = await Promise.all([first, second])
    expect([before.error, after.error]).toEqual([undefined, undefined])
    expect(before.told.filter(isQueued)).toEqual([])
    expect(after.told.slice(0, 4)).toEqual(['quote done', 'queue needed', 'queue done', 'permit needed'])
    expect(wallet.prompts.length).toBeGreaterThan(prompted)
    expect(await stack.readSpent(wallet)).toBe(20_000_000n)
    const blocks = [before, after].map(({ receipt }) => receipt?.blockNumber ?? 0)
    expect(blocks[1]).toBeGreaterThan(blocks[0] ?? 0)
  })

  it('the one that waits can be stopped, has sent nothing, and may be resumed later', async () => {
    const stop = new AbortController()
    const { wallet, first, second, step } = await convertTwice({ signal: stop.signal })
    stop.abort()
    const { error, steps } = await second
    expect(error).toMatchObject({ code: 'convert/aborted', action: 'retry' })
    expect(steps.at(-1)).toMatchObject({ kind: 'queue', status: 'failed' })
    await stack.mine()
    expect((await first).receipt).toMatchObject({ status: 'success' })
    expect(await clients[1].resume(step, { wallet })).toMatchObject({ status: 'success' })
    expect(await stack.readSpent(wallet)).toBe(20_000_000n)
  })

  it('a conversion that is resumed with its hash does not wait', async () => {
    const { wallet, step } = await startAbandoned(stack)
    const quote = await clients[0].quote(stack.request)
    const prompted = wallet.prompts.length
    const other = recordSteps(clients[0].convert({ quote, wallet, approval: 'approve' }))
    await expect.poll(() => wallet.prompts.length, eventually).toBe(prompted + 1)
    const resumed = recordSteps(clients[1].resume(step, { wallet }))
    await stack.mine()
    const { receipt, told } = await resumed
    expect(receipt).toMatchObject({ status: 'success', transactionHash: step.transactionHash })
    expect(told.filter(isQueued)).toEqual([])
    expect((await other).receipt).toMatchObject({ status: 'success' })
    expect(await stack.readSpent(wallet)).toBe(20_000_000n)
  })

  it('a second conversion of one client says that it waits', async () => {
    const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
    const quote = await clients[0].quote(stack.request)
    const both = [1, 2].map(() => recordSteps(clients[0].convert({ quote, wallet })))
    const [one, two] = await Promise.all(both)
    expect(one?.told.filter(isQueued)).toEqual([])
    expect(two?.told.filter(isQueued)).toEqual(['queue needed', 'queue done'])
    expect(await stack.readSpent(wallet)).toBe(20_000_000n)
  })
})

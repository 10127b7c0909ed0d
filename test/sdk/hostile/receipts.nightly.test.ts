import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAgio, type ConvertOptions, type Eip1193Provider } from '../../../packages/sdk/src/index.ts'
import { apiKey } from '../../harness/settingsFor.ts'
import { eventually } from '../../harness/timeLimits.ts'
import { setUp } from '../../harness/setUp.ts'
import { moveClock, type MovedClock } from '../moveClock.ts'
import { startPending } from '../pendingConversion.ts'
import { recordSteps } from '../recordSteps.ts'
import { startSdkStack } from '../startSdkStack.ts'
import { changeData, createTamperingFetch, toErrorAnswer, type Changes, type Json } from './createTamperingFetch.ts'
import { attacker } from './startVictim.ts'

const chainId = 84532

const stack = setUp(startSdkStack)
let clock: MovedClock
beforeEach(() => {
  clock = moveClock()
})
afterEach(async () => {
  clock[Symbol.dispose]()
  await stack.scenarios.reset()
})

/** Connects to a service that takes longer for a receipt than the SDK waits for another one. */
function connect(changes: Changes) {
  const contracts = { [chainId]: stack.chain.deployment }
  const tamperingFetch = createTamperingFetch(changes)
  const slowFetch: typeof fetch = async (input, init) => {
    const response = await tamperingFetch(input, init)
    if ((input as string).endsWith('convert.receipt')) clock.pass(20_000)
    return response
  }
  return createAgio({ url: stack.url, apiKey, contracts, fetch: slowFetch })
}

const inventReceipt: Changes = {
  'convert.receipt': (_, { input }) => ({
    result: { data: { ...input, status: 'success', amountIn: '10.000000', amountOut: '0.000001', blockNumber: 1 } },
  }),
}

/** Changes the receipt of a transaction once the service has seen it in a block. */
const inReceipt = (change: (receipt: Json) => Json): Changes => ({
  'convert.receipt': async (_, { input }) => {
    const read = async () => await stack.agio.api.convert.receipt.query(input as never).catch(() => undefined)
    const receipt = await vi.waitUntil(async () => {
      const found = await read()
      return found?.status === 'success' && found
    }, eventually)
    return { result: { data: change(receipt) } }
  },
})

/** Waits until the SDK has looked for a transaction so often that it would have ended a conversion that it believes to be over. */
async function waitForLooks(wallet: Eip1193Provider): Promise<void> {
  const requests = vi.spyOn(wallet, 'request')
  await vi.waitUntil(() => requests.mock.calls.length > 10, eventually)
}

async function convert(changes: Changes, options: Partial<ConvertOptions> = {}) {
  const agio = connect(changes)
  const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
  const quote = await agio.quote(stack.request)
  return { quote, wallet, ...(await recordSteps(agio.convert({ quote, wallet, ...options }))) }
}

describe('a service that lies about a conversion that is sent', () => {
  it('its receipt is not returned while the transaction is pending', async () => {
    const { hash, wallet, ended } = await startPending({ ...stack, agio: connect(inventReceipt) })
    await waitForLooks(wallet)
    await stack.mine()
    const { receipt } = await ended
    expect(receipt).toMatchObject({ status: 'success', transactionHash: hash, oracleAt: 'unavailable' })
  })

  it('the amounts of the chain are returned with a warning if its receipt contradicts them', async () => {
    const { quote, steps, receipt } = await convert(inventReceipt)
    expect(receipt).toMatchObject({ amountIn: '10.000000', amountOut: quote.amountOut, verifiedBy: 'wallet' })
    expect(receipt).not.toHaveProperty('parts')
    expect(steps.filter(({ status }) => status === 'warning')).toMatchObject([
      { kind: 'confirm', field: 'blockNumber' },
    ])
  })

  it.each([
    ['success', (receipt: Json) => ({ ...receipt, status: 'failed' })],
    ['amountOut', (receipt: Json) => ({ ...receipt, amountOut: '0.000001' })],
    ['amountIn', (receipt: Json) => ({ ...receipt, amountIn: '1' })],
    ['blockHash', (receipt: Json) => ({ ...receipt, blockHash: receipt.transactionHash })],
  ])('a conversion that succeeded succeeds even if the service reports another %s', async (_, change) => {
    const { quote, steps, receipt } = await convert(inReceipt(change))
    const { amountOut } = quote
    expect(receipt).toMatchObject({ status: 'success', amountIn: '10.000000', amountOut, tokenOut: quote.tokenOut })
    expect(steps.filter(({ status }) => status === 'warning')).toHaveLength(1)
  })

  it('the amounts of the chain are returned without an explanation if it has no receipt', async () => {
    const changes: Changes = {
      'convert.receipt': () => toErrorAnswer('svc/transaction-not-found', { retryable: true }),
    }
    const { quote, steps, receipt } = await convert(changes)
    expect(receipt).toMatchObject({ amountOut: quote.amountOut, oracleAt: 'unavailable', executedRate: '0.65087440' })
    expect(steps.filter(({ status }) => status === 'warning')).toEqual([])
  })

  it.each(['convert', 'other'])('error: convert/mismatch with kind for a plan with a step of kind %s', async (kind) => {
    const changeStep = (step: Json) => ({ ...step, kind })
    const changes = {
      'approval.plan': changeData((plan: Json) => ({ ...plan, steps: plan.steps.map(changeStep) })),
    }
    const { error, wallet } = await convert(changes, { approval: 'approve' })
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: 'kind' } })
    expect(await stack.client.getTransactionCount({ address: wallet.address })).toBe(0)
  })

  it.each([
    ['that another replaced', {}],
    ['of the account 5', { from: 5 }],
  ])('a transaction that is pending at the node is waited for if it reports one %s', async (_, fields) => {
    const replacement = { transactionHash: `${attacker}${'0'.repeat(24)}`, kind: 'other', finality: 'finalized' }
    const replaced: Changes = {
      'transaction.track': changeData((tracked: Json) => ({ ...tracked, status: 'replaced', replacement, ...fields })),
    }
    const agio = connect(replaced)
    const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
    const quote = await agio.quote(stack.request)
    const stopped = Promise.withResolvers<void>()
    const onStep: ConvertOptions['onStep'] = async ({ kind, status }) => {
      if (kind !== 'convert' || status !== 'waiting-for-wallet') return
      await stack.scenarios.run('no-mining', { chainId })
      stopped.resolve()
    }
    const ended = recordSteps(agio.convert({ quote, wallet, onStep }))
    await stopped.promise
    await waitForLooks(wallet)
    await stack.mine()
    expect((await ended).receipt).toMatchObject({ status: 'success' })
  })
})

describe('waitFor', () => {
  it.each(['safe', 'finalized'] as const)('%s waits for a block that the node reports as such', async (waitFor) => {
    const agio = connect({})
    const able = await stack.createFundedWallet({ holding: { tAUD: '100' } })
    let [isLagging, looks] = [true, 0]
    const lagging: Eip1193Provider = {
      async request({ method, params }) {
        const isTagged = method === 'eth_getBlockByNumber' && (params as readonly unknown[])[0] === waitFor
        if (isTagged) looks += 1
        const block = isTagged && isLagging ? ['0x1', false] : params
        return await able.request({ method, params: block })
      },
    }
    const quote = await agio.quote(stack.request)
    const ended = recordSteps(agio.convert({ quote, wallet: lagging, waitFor }))
    await vi.waitUntil(() => looks > 2, eventually)
    const next = await agio.convert({ quote: await agio.quote({ ...quote.request }), wallet: able })
    expect(next).toMatchObject({ status: 'success' })
    isLagging = false
    expect((await ended).receipt).toMatchObject({ status: 'success' })
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  createAgio,
  type AgioOptions,
  type ConvertOptions,
  type Eip1193Provider,
} from '../../../packages/sdk/src/index.ts'
import { apiKey } from '../../harness/settingsFor.ts'
import { startPending } from '../pendingConversion.ts'
import { recordSteps } from '../recordSteps.ts'
import { startSdkStack, type SdkStack } from '../startSdkStack.ts'
import { withFastClock } from '../withFastClock.ts'
import { changeData, createTamperingFetch, toErrorAnswer, type Changes, type Json } from './createTamperingFetch.ts'
import { attacker } from './startVictim.ts'

const chainId = 84532

let stack: SdkStack
beforeAll(async () => {
  stack = await startSdkStack()
})
afterEach(() => stack.scenarios.reset())
afterAll(() => stack[Symbol.asyncDispose]())

const mine = () => stack.scenarios.run('mine', { chainId })

function connect(changes: Changes, options: Partial<AgioOptions> = {}) {
  const contracts = { [chainId]: stack.chain.deployment }
  return createAgio({ url: stack.url, apiKey, contracts, fetch: createTamperingFetch(changes), ...options })
}

const inventReceipt: Changes = {
  'convert.receipt': (_, { input }) => ({
    result: { data: { ...input, status: 'success', amountIn: '10.000000', amountOut: '0.000001', blockNumber: 1 } },
  }),
}

async function convert(changes: Changes, options: Partial<ConvertOptions> = {}) {
  const agio = connect(changes)
  const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
  const { tAUD: tokenIn, tUSD: tokenOut } = stack.chain.tokens
  const quote = await agio.quote({ chainId, tokenIn, tokenOut, amountIn: '10' })
  return { quote, wallet, ...(await recordSteps(agio.convert({ quote, wallet, ...options }))) }
}

describe('a service that lies about a conversion that is sent', () => {
  it('its receipt is not returned while the transaction is pending', async () => {
    const { hash, ended } = await startPending({ ...stack, agio: connect(inventReceipt) })
    expect(await Promise.race([ended, after(2000)])).toBe('waits')
    await mine()
    const { receipt } = await withFastClock(async () => await ended)
    expect(receipt).toMatchObject({ status: 'success', transactionHash: hash, oracleAt: 'unavailable' })
  })

  it('the amounts of the chain are returned with a warning if its receipt contradicts them', async () => {
    const { quote, steps, receipt } = await withFastClock(() => convert(inventReceipt))
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
    ['tokenOut', (receipt: Json) => ({ ...receipt, tokenOut: receipt.tokenIn })],
    ['blockHash', (receipt: Json) => ({ ...receipt, blockHash: receipt.transactionHash })],
  ])('a conversion that succeeded succeeds even if the service reports another %s', async (_, change) => {
    const { quote, steps, receipt } = await withFastClock(() => convert({ 'convert.receipt': changeData(change) }))
    const { amountOut } = quote
    expect(receipt).toMatchObject({ status: 'success', amountIn: '10.000000', amountOut, tokenOut: quote.tokenOut })
    expect(steps.filter(({ status }) => status === 'warning')).toHaveLength(1)
  })

  it('the amounts of the chain are returned without an explanation if it has no receipt', async () => {
    const changes: Changes = {
      'convert.receipt': () => toErrorAnswer('svc/transaction-not-found', { retryable: true }),
    }
    const { quote, steps, receipt } = await withFastClock(() => convert(changes))
    expect(receipt).toMatchObject({ amountOut: quote.amountOut, oracleAt: 'unavailable', executedRate: '0.65087440' })
    expect(steps.filter(({ status }) => status === 'warning')).toEqual([])
  })

  it.each(['convert', 'batch', 'other'])(
    'error: convert/mismatch with kind for a plan with a step of kind %s',
    async (kind) => {
      const changes: Changes = {
        'approval.plan': changeData((plan: Json) => ({
          ...plan,
          steps: plan.steps.map((step: Json) => ({ ...step, kind })),
        })),
      }
      const { error, wallet } = await convert(changes, { approval: 'approve' })
      expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: 'kind' } })
      expect(await stack.client.getTransactionCount({ address: wallet.address })).toBe(0)
    },
  )

  it('convert/replaced is not thrown for a transaction that is pending at the node', async () => {
    const replaced: Changes = {
      'transaction.track': changeData((tracked: Json) => ({
        ...tracked,
        status: 'replaced',
        replacement: { transactionHash: `${attacker}${'0'.repeat(24)}`, kind: 'other', finality: 'finalized' },
      })),
    }
    const agio = connect(replaced)
    const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
    const { tAUD: tokenIn, tUSD: tokenOut } = stack.chain.tokens
    const quote = await agio.quote({ chainId, tokenIn, tokenOut, amountIn: '10' })
    const onStep: ConvertOptions['onStep'] = async ({ kind, status }) => {
      if (kind === 'convert' && status === 'waiting-for-wallet') await stack.scenarios.run('no-mining', { chainId })
    }
    const ended = recordSteps(agio.convert({ quote, wallet, onStep }))
    expect(await Promise.race([ended, after(2000)])).toBe('waits')
    await mine()
    expect((await ended).receipt).toMatchObject({ status: 'success' })
  })
})

/** Resolves to `waits` after a time in which a believed lie would have ended the conversion. */
function after(ms: number): Promise<'waits'> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'waits'))
}

describe('waitFor', () => {
  it.each(['safe', 'finalized'] as const)('%s waits for a block that the node reports as such', async (waitFor) => {
    const agio = connect({})
    const able = await stack.createFundedWallet({ holding: { tAUD: '100' } })
    let isLagging = true
    const lagging: Eip1193Provider = {
      async request({ method, params }) {
        const isTagged = method === 'eth_getBlockByNumber' && (params as readonly unknown[])[0] === waitFor
        const block = isTagged && isLagging ? ['0x1', false] : params
        return await able.request({ method, params: block })
      },
    }
    const { tAUD: tokenIn, tUSD: tokenOut } = stack.chain.tokens
    const quote = await agio.quote({ chainId, tokenIn, tokenOut, amountIn: '10' })
    const ended = recordSteps(agio.convert({ quote, wallet: lagging, waitFor }))
    expect(await Promise.race([ended, after(2000)])).toBe('waits')
    const next = await agio.convert({ quote: await agio.quote({ ...quote.request }), wallet: able })
    expect(next).toMatchObject({ status: 'success' })
    isLagging = false
    expect((await ended).receipt).toMatchObject({ status: 'success' })
  })
})

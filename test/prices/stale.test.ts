import { poolAbi, routerAbi, tokenAbi } from '@agio/chain/abi'
import type { Network } from '@agio/core'
import { pushPrices } from '@agio/localnet'
import { decodeFunctionData, parseAbi, parseUnits, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { writeContract } from '../harness/writeContract.ts'

const oracleAbi = parseAbi([
  'function latestRoundData() view returns (uint80, int256 answer, uint256, uint256 updatedAt, uint80)',
  'function updateAnswer(int256 answer)',
])

const transports = ['REST', 'tRPC'] as const
const quoteOperations = ['convert.preview', 'transaction.buildConvert'] as const
const everyQuote = transports.flatMap((transport) => quoteOperations.map((operation) => ({ transport, operation })))

let stack: AgioStack

beforeAll(async () => {
  stack = await startAgio()
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe('prices older than an hour', () => {
  beforeAll(async () => {
    const { chain, owner } = subject(84532)
    await pushPrices(chain)
    await owner.client.increaseTime({ seconds: 3601 })
    await owner.client.mine({ blocks: 1 })
    await waitForBlock(stack.url, chain)
  })

  it.each(transports)(
    'oracle.prices marks prices older than an hour as stale, except for the reference dollar (%s)',
    async (transport) => {
      const { chainId, oracles } = subject(84532).chain
      const { status, data } = await stack.callers[transport]('oracle.prices', { chainId })
      expect(status).toBe(200)
      expect(data?.['prices']).toMatchObject({
        tAUD: { usd: '0.65120000', oracle: oracles.tAUD, lastUpdate: await updatedAt('tAUD'), stale: true },
        tEUR: { usd: '1.08450000', oracle: oracles.tEUR, lastUpdate: await updatedAt('tEUR'), stale: true },
        tUSD: { usd: '1.00', oracle: null, stale: false },
      })
    },
  )

  it.each(transports)(
    'pools.get marks prices older than an hour as stale, without a largest input (%s)',
    async (transport) => {
      const { status, data } = await stack.callers[transport](
        'pools.get',
        validInputs(subject(84532).chain)['pools.get'],
      )
      expect(status).toBe(200)
      expect(data).toMatchObject({
        oracles: { token0: { stale: true, lastUpdate: await updatedAt('tAUD') }, token1: { stale: false } },
        reserves: { token1: expect.stringMatching(/^\d+\.\d{6}$/) },
      })
      expect(data).not.toHaveProperty('maxAmountIn')
    },
  )

  it.each(everyQuote)(
    'error: svc/stale-price from $operation at a price older than an hour ($transport)',
    async ({ transport, operation }) => {
      const { chain } = subject(84532)
      const failure = { code: 'svc/stale-price', oracle: chain.oracles.tAUD, updatedAt: await updatedAt('tAUD') }
      expect(await stack.callers[transport](operation, validInputs(chain)[operation])).toMatchObject({
        status: 422,
        failure: { ...failure, maxAgeSeconds: 3600, retryable: true, action: 'wait' },
      })
    },
  )
})

it('stale prices are fresh again after a push', async () => {
  const { chain, owner } = subject(84532)
  await owner.client.increaseTime({ seconds: 3601 })
  await pushPrices(chain)
  await waitForBlock(stack.url, chain)
  const [call, inputs] = [stack.callers.REST, validInputs(chain)]
  expect(await call('convert.preview', inputs['convert.preview'])).toMatchObject({ data: { amountOut: '650.874400' } })
  expect(await call('transaction.buildConvert', inputs['transaction.buildConvert'])).toMatchObject({ status: 200 })
  expect(await call('pools.get', inputs['pools.get'])).toMatchObject({
    data: { oracles: { token0: { stale: false } }, maxAmountIn: { token0: expect.any(String) } },
  })
})

it('a price is fresh up to an age of one hour, and stale one second later', async () => {
  const { chain, owner } = subject(84532)
  await pushPrices(chain)
  const pushedAt = BigInt(Date.parse(await updatedAt('tAUD')) / 1000)
  const previewAt = async (timestamp: bigint) => {
    await owner.client.setNextBlockTimestamp({ timestamp })
    await owner.client.mine({ blocks: 1 })
    await waitForBlock(stack.url, chain)
    return await stack.callers.REST('convert.preview', validInputs(chain)['convert.preview'])
  }
  expect(await previewAt(pushedAt + 3600n)).toMatchObject({ status: 200 })
  expect(await previewAt(pushedAt + 3601n)).toMatchObject({ status: 422, failure: { code: 'svc/stale-price' } })
})

describe('the default deadline', () => {
  it('the default deadline is 300 seconds after the newest block on a chain ahead of the wall clock', async () => {
    const { chain, owner } = subject(84532)
    await owner.client.increaseTime({ seconds: 7200 })
    await pushPrices(chain)
    await waitForBlock(stack.url, chain)
    const { timestamp } = await owner.client.getBlock()
    expect(await buildDeadline(84532)).toBe(Number(timestamp) + 300)
  })

  it('the default deadline is 300 seconds after the wall clock on a chain behind it', async () => {
    const { timestamp } = await subject(421614).owner.client.getBlock()
    await vi.waitUntil(() => Date.now() / 1000 > Number(timestamp) + 2, eventually)
    const earliest = Math.floor(Date.now() / 1000) + 300
    const deadline = await buildDeadline(421614)
    expect(deadline).toBeGreaterThanOrEqual(earliest)
    expect(deadline).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 300)
  })
})

describe('a frozen pool', () => {
  const setFrozen = async (isFrozen: boolean) => {
    const { chain, owner } = subject(421614)
    await writeContract(owner.client, {
      address: chain.pools['tAUD/tUSD'],
      abi: poolAbi,
      functionName: 'setFrozen',
      args: [isFrozen],
    })
    await waitForBlock(stack.url, chain)
  }

  beforeAll(() => setFrozen(true))
  afterAll(() => setFrozen(false))

  it.each(everyQuote)(
    'error: svc/pool-frozen from $operation over a frozen pool, on any route ($transport)',
    async (subjectOf) => {
      const { chain } = subject(421614)
      const { poolAddress: _, ...input } = { poolAddress: '', ...validInputs(chain)[subjectOf.operation] }
      for (const tokenOut of [chain.tokens.tUSD, chain.tokens.tEUR]) {
        const answer = await stack.callers[subjectOf.transport](subjectOf.operation, { ...input, tokenOut })
        expect(answer).toMatchObject({ status: 422, failure: { code: 'svc/pool-frozen', retryable: true } })
      }
    },
  )

  it.each(transports)('a frozen pool is still listed, and the other pool still converts (%s)', async (transport) => {
    const { chainId, tokens, pools } = subject(421614).chain
    const shown = await stack.callers[transport]('pools.get', { chainId, poolAddress: pools['tAUD/tUSD'] })
    expect(shown).toMatchObject({ status: 200, data: { name: 'tAUD/tUSD', oracles: { token0: { stale: false } } } })
    const other = { chainId, tokenIn: tokens.tEUR, tokenOut: tokens.tUSD, amountIn: '1' }
    expect(await stack.callers[transport]('convert.preview', other)).toMatchObject({ status: 200 })
  })
})

it.each(transports)('a price that falls between build and mining fails the transaction (%s)', async (transport) => {
  const { chain, owner } = subject(421614)
  const { chainId, tokens, oracles, deployment } = chain
  const call = stack.callers[transport]
  const moveTo = (price: bigint) =>
    writeContract(owner.client, { address: oracles.tAUD, abi: oracleAbi, functionName: 'updateAnswer', args: [price] })
  const wallet = await createWallet(chain)
  const mint = { abi: tokenAbi, functionName: 'mint', args: [wallet.address, parseUnits('1000', 6)] } as const
  await writeContract(owner.client, { address: tokens.tAUD, ...mint })
  const approval = { chainId, tokenAddress: tokens.tAUD, spenderAddress: deployment.router, amount: '1000' }
  const approve = (await call('approval.build', approval)).data?.['transaction'] as Unsigned
  await call('transaction.broadcast', { chainId, signedTransaction: await wallet.sign(call, approve) })
  const request = { ...validInputs(chain)['transaction.buildConvert'], userAddress: wallet.address }
  const built = await call('transaction.buildConvert', { ...request, minAmountOut: '650.548962' })
  expect(built.data).toMatchObject({ issues: [] })

  await moveTo(64_468_800n)
  const signedTransaction = await wallet.sign(call, built.data as unknown as Unsigned)
  const sent = await call('transaction.broadcast', { chainId, signedTransaction })
  await moveTo(65_120_000n)
  await waitForBlock(stack.url, chain)

  const failure = { code: 'svc/below-min-target', revert: { name: 'BelowMinTarget', args: ['644365656', '650548962'] } }
  expect(sent).toMatchObject({ status: 200, data: { status: 'failed', failure } })
  expect((sent.data?.['failure'] as { message: string }).message).toMatch(/644\.365656.*650\.548962/)
  const { transactionHash, ...outcome } = sent.data as { transactionHash: Hex }
  expect(await call('transaction.status', { chainId, transactionHash })).toMatchObject({ status: 200, data: outcome })
})

function subject(chainId: Network.ChainId) {
  const chain = stack.localnet.chains[chainId]
  return { chain, owner: connectOwner(chain) }
}

async function updatedAt(symbol: 'tAUD' | 'tEUR'): Promise<string> {
  const { chain, owner } = subject(84532)
  const oracle = { address: chain.oracles[symbol], abi: oracleAbi, functionName: 'latestRoundData' } as const
  const [, , , updatedAtSeconds] = await owner.client.readContract(oracle)
  return new Date(Number(updatedAtSeconds) * 1000).toISOString()
}

/** The deadline of a built conversion, which must equal the deadline in its calldata. */
async function buildDeadline(chainId: Network.ChainId): Promise<number> {
  const input = validInputs(subject(chainId).chain)['transaction.buildConvert']
  const { data } = await stack.callers.REST('transaction.buildConvert', input)
  const { args } = decodeFunctionData({ abi: routerAbi, data: data?.['data'] as Hex })
  expect(args?.at(-1)).toBe(BigInt(String(data?.['deadline'])))
  return Number(data?.['deadline'])
}

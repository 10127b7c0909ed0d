import { routerAbi } from '@agio/chain/abi'
import type { Network } from '@agio/core'
import { pushPrices } from '@agio/localnet'
import { decodeFunctionData, parseAbi, type Hex } from 'viem'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startAgio } from '../harness/startAgio.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'

const oracleAbi = parseAbi([
  'function latestRoundData() view returns (uint80, int256 answer, uint256, uint256 updatedAt, uint80)',
])

const transports = ['REST', 'tRPC'] as const

const stack = setUp(startAgio)

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

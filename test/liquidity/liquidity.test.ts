import { poolAbi } from '@agio/chain/abi'
import { Network, type Address } from '@agio/core'
import { pushPrices, type LocalChain } from '@agio/localnet'
import fc from 'fast-check'
import { formatUnits, parseAbi, parseUnits, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { convert, donate, fundOwner, setFrozen } from '../harness/changePool.ts'
import { createProvider } from './createProvider.ts'
import { arbitraryRequest, type LiquidityRequest, executeAndRevert } from './LiquidityRequest.ts'
import { readShare, toGains, toMoved, type Preview } from './Preview.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { deployEmptyPool } from './deployEmptyPool.ts'
import { partOf } from '../harness/partOf.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'
import type { Answer, Proxy } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { writeContract } from '../harness/writeContract.ts'

const seed = randomSeed('deposits and withdrawals')

const transports = ['REST', 'tRPC'] as const
const operations = ['liquidity.previewDeposit', 'liquidity.previewWithdraw'] as const
const everyOperation = transports.flatMap((transport) => operations.map((operation) => ({ transport, operation })))

let stack: ProxiedStack
let proxy: Proxy
const emptyPools = {} as Record<Network.ChainId, Address>

beforeAll(async () => {
  stack = await startProxiedStack({
    prepare: async ({ chains, deploymentsDir }) => {
      for (const chainId of Network.chainIds)
        emptyPools[chainId] = await deployEmptyPool(chains[chainId], deploymentsDir)
      // A reverted chain on which no block is mined differs from a lagging node only by the age of the head.
      return { snapshotMaxAgeMs: 2000 }
    },
  })
  proxy = stack.proxies[84532]
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe('liquidity previews', () => {
  it.each(everyOperation)(
    '$operation sends one request to the node, for the snapshot of its block ($transport)',
    async (subjectOf) => {
      const { chain, owner } = subject(84532)
      await waitForBlock(stack.url, chain)
      const { hash } = await owner.client.getBlock()
      const request = () => requestOperation(84532, subjectOf, '1')
      await request()
      const before = proxy.requests.length
      expect(await recordRequests(proxy, request)).toEqual(['eth_call'])
      expect(proxy.requests.slice(before).map(({ body }) => body)).toContainEqual(expect.stringContaining(hash))
    },
  )

  it.each(everyOperation)(
    'error: svc/upstream-unavailable from $operation over a lagging node ($transport)',
    async (of) => {
      const { chain, owner } = subject(84532)
      proxy.setAnswer(inThePast)
      onTestFinished(async () => {
        proxy.reset()
        await owner.client.mine({ blocks: 1 })
        await waitForBlock(stack.url, chain)
      })
      await owner.client.mine({ blocks: 1 })
      await waitForBlock(stack.url, chain)
      expect(await requestOperation(84532, of, '1')).toMatchObject({
        status: 503,
        failure: { code: 'svc/upstream-unavailable' },
      })
    },
  )
})

describe.each(partOf(Network.chainIds))('on chain %i', (chainId) => {
  describe.each([
    ['without changes', () => Promise.resolve()],
    ['that holds more of its first token', (chain: LocalChain) => convert(chain, 'tAUD', '400000')],
    ['that holds more of its second token', (chain: LocalChain) => convert(chain, 'tUSD', '700000')],
    ['with an odd donation', (chain: LocalChain) => donate(chain, 'tUSD', '12345.678901')],
  ])('a pool %s', (state, change) => {
    beforeAll(() => change(subject(chainId).chain))

    it.each(transports)(
      `a deposit into a pool ${state} and its withdrawals match their previews, to the wei (%s)`,
      async (transport) => {
        const { chain, pool: poolAddress } = subject(chainId)
        const provider = await createProvider(chain, stack.callers[transport])
        const deposit = await previewDeposit(chainId, { transport, poolAddress, value: '12345.678901234567890123' })
        expect(await provider.deposit(deposit)).toEqual(toGains(deposit, -1n))
        expect(deposit.shareOfPool).toBe(await readShare(chain, deposit))

        const lpRaw = parseUnits(deposit.lpAmount, 18)
        for (const partRaw of [1n, lpRaw / 3n, lpRaw - lpRaw / 3n - 1n]) {
          const lpAmount = formatUnits(partRaw, 18)
          const withdrawal = await previewWithdraw(chainId, { transport, poolAddress, lpAmount })
          expect(withdrawal.shareOfPool).toBe(await readShare(chain, withdrawal))
          expect(await provider.withdraw(withdrawal)).toEqual(toGains(withdrawal, 1n))
        }
      },
    )
  })

  it('liquidity previews of any size match their execution, errors included', async () => {
    const { chain, owner, pool } = subject(chainId)
    await fundOwner(chain)
    await waitForBlock(stack.url, chain)
    const requests = [dust, ...fc.sample(arbitraryRequest, { seed, numRuns: 100 })]
    const previews = await Promise.all(requests.map((request) => requestPreview(chainId, request)))
    const blocks = new Set(previews.flatMap(({ data }) => data?.['blockNumber'] ?? []))
    const counts: Record<string, number> = {}
    for (const [index, request] of requests.entries()) {
      const { data, failure } = previews[index] ?? {}
      const previewed = data ? toMoved(chain, data as Preview) : failure?.code
      const executed = (await executeAndRevert(owner, pool, request)) ?? 'svc/amount-too-small'
      expect(previewed, `seed ${seed}, ${request.action} of ${request.amountRaw}`).toEqual(executed)
      const name = failure?.code ?? request.action
      counts[name] = (counts[name] ?? 0) + 1
    }
    expect(blocks).toEqual(new Set([Number(await owner.client.getBlockNumber({ cacheTime: 0 }))]))
    expect(counts, `seed ${seed}`).toMatchObject({
      deposit: atLeast(25),
      withdraw: atLeast(25),
      'svc/amount-too-small': atLeast(1),
    })
    // A number above every reverted block: the service may hold one of those as its head.
    await owner.client.mine({ blocks: 2 })
    await waitForBlock(stack.url, chain)
  })

  describe('an empty pool', () => {
    it.each(transports)(
      'error: svc/amount-too-small for a first deposit that only covers the locked LP tokens (%s)',
      async (transport) => {
        const [call, poolAddress] = [stack.callers[transport], emptyPools[chainId]]
        const input = { chainId, poolAddress, value: formatUnits(10n ** 6n, 18) }
        expect(await call('liquidity.previewDeposit', input)).toMatchObject({
          status: 422,
          failure: { code: 'svc/amount-too-small', action: 'fix_input' },
        })
      },
    )

    it.each(transports)('error: svc/invalid-request for a withdrawal from an empty pool (%s)', async (transport) => {
      const [call, poolAddress] = [stack.callers[transport], emptyPools[chainId]]
      const outcome = await call('liquidity.previewWithdraw', {
        chainId,
        poolAddress,
        lpAmount: '0.000000000000000001',
      })
      expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field: 'lpAmount' } })
    })

    it('an empty pool takes its first deposit at the oracle prices, as previewed', async () => {
      const { chain, owner } = subject(chainId)
      const id = await owner.client.snapshot()
      const provider = await createProvider(chain, stack.callers.REST)
      await waitForBlock(stack.url, chain)
      const poolAddress = emptyPools[chainId]
      const first = await previewDeposit(chainId, { transport: 'tRPC', poolAddress, value: '2000' })
      expect(first).toMatchObject({
        lpAmount: '1999.999999999999000000',
        amounts: { token0: '1535.626536', token1: '1000.000000' },
        shareOfPool: '100.00000000%',
      })
      expect(await provider.deposit(first)).toEqual(toGains(first, -1n))
      await owner.client.revert({ id })
      await waitForBlock(stack.url, chain)
    })
  })

  describe('a frozen pool', () => {
    beforeAll(async () => {
      const { chain } = subject(chainId)
      await setFrozen(chain, true)
      await waitForBlock(stack.url, chain)
    })
    afterAll(() => setFrozen(subject(chainId).chain, false))

    it.each(transports)('error: svc/pool-frozen for a deposit into a frozen pool (%s)', async (transport) => {
      const outcome = await requestOperation(chainId, { transport, operation: 'liquidity.previewDeposit' }, '1')
      expect(outcome).toMatchObject({ status: 422, failure: { code: 'svc/pool-frozen', retryable: true } })
    })

    it.each(transports)('a frozen pool pays a withdrawal as previewed (%s)', async (transport) => {
      await expectWithdrawal(chainId, transport)
    })
  })

  describe('a pool whose prices are older than an hour', () => {
    beforeAll(async () => {
      const { chain, owner } = subject(chainId)
      await pushPrices(chain)
      await owner.client.increaseTime({ seconds: 3601 })
      await owner.client.mine({ blocks: 1 })
      await waitForBlock(stack.url, chain)
    })
    afterAll(async () => {
      const { chain } = subject(chainId)
      await pushPrices(chain)
      await waitForBlock(stack.url, chain)
    })

    it.each(transports)(
      'error: svc/stale-price for the first deposit into a pool with stale prices (%s)',
      async (transport) => {
        const { chain } = subject(chainId)
        const input = { chainId, poolAddress: emptyPools[chainId], value: '2000' }
        expect(await stack.callers[transport]('liquidity.previewDeposit', input)).toMatchObject({
          status: 422,
          failure: {
            code: 'svc/stale-price',
            oracle: chain.oracles.tAUD,
            updatedAt: await readUpdatedAt(chainId),
            maxAgeSeconds: 3600,
            action: 'wait',
          },
        })
      },
    )

    it.each(transports)(
      'a pool with stale prices takes later deposits as previewed, without reading a price (%s)',
      async (transport) => {
        const { chain, pool: poolAddress } = subject(chainId)
        const provider = await createProvider(chain, stack.callers[transport])
        const deposit = await previewDeposit(chainId, { transport, poolAddress, value: '1000' })
        expect(await provider.deposit(deposit)).toEqual(toGains(deposit, -1n))
      },
    )

    it.each(transports)('a pool with stale prices pays a withdrawal as previewed (%s)', async (transport) => {
      await expectWithdrawal(chainId, transport)
    })
  })

  describe('a pool with a broken token', () => {
    let code: Hex | undefined
    const setCode = async (bytecode: Hex) => {
      const { chain, owner } = subject(chainId)
      await owner.client.setCode({ address: chain.tokens.tAUD, bytecode })
      await owner.client.mine({ blocks: 1 })
      await waitForBlock(stack.url, chain)
    }
    beforeAll(async () => {
      const { chain, owner } = subject(chainId)
      code = await owner.client.getCode({ address: chain.tokens.tAUD })
      // PUSH0 PUSH0 REVERT
      await setCode('0x5f5ffd')
    })
    afterAll(() => setCode(code ?? '0x'))

    it.each(everyOperation)(
      'error: svc/reverted from $operation of a pool with a broken token ($transport)',
      async (subjectOf) => {
        expect(await requestOperation(chainId, subjectOf, '1')).toMatchObject({
          status: 422,
          failure: { code: 'svc/reverted', revert: { name: 'Revert', args: [] } },
        })
      },
    )
  })
})

type Transport = (typeof transports)[number]

/** A value that buys no LP tokens once an LP token is worth more than a dollar. */
const dust: LiquidityRequest = { action: 'deposit', amountRaw: 1n }

const atLeast = (least: number) => expect.toSatisfy((count: number) => count >= least) as number

function subject(chainId: Network.ChainId) {
  const chain = stack.localnet.chains[chainId]
  return { chain, owner: connectOwner(chain), pool: chain.pools['tAUD/tUSD'] }
}

/** Requests a preview of the tAUD/tUSD pool. */
async function requestOperation(
  chainId: Network.ChainId,
  { transport, operation }: (typeof everyOperation)[number],
  amount: string,
) {
  const input = operation === 'liquidity.previewDeposit' ? { value: amount } : { lpAmount: amount }
  return await stack.callers[transport](operation, { chainId, poolAddress: subject(chainId).pool, ...input })
}

async function requestPreview(chainId: Network.ChainId, { action, amountRaw }: LiquidityRequest) {
  const operation = action === 'deposit' ? operations[0] : operations[1]
  return await requestOperation(chainId, { transport: 'REST', operation }, formatUnits(amountRaw, 18))
}

async function previewDeposit(
  chainId: Network.ChainId,
  { transport, ...input }: { readonly transport: Transport; readonly poolAddress: Address; readonly value: string },
) {
  await waitForBlock(stack.url, subject(chainId).chain)
  const { data } = await stack.callers[transport]('liquidity.previewDeposit', { chainId, ...input })
  return data as unknown as Preview & { readonly value: string }
}

async function previewWithdraw(
  chainId: Network.ChainId,
  { transport, ...input }: { readonly transport: Transport; readonly poolAddress: Address; readonly lpAmount: string },
) {
  await waitForBlock(stack.url, subject(chainId).chain)
  const { data } = await stack.callers[transport]('liquidity.previewWithdraw', { chainId, ...input })
  return data as unknown as Preview
}

/** Transfers LP tokens of the owner to a new wallet, and withdraws them. */
async function expectWithdrawal(chainId: Network.ChainId, transport: Transport): Promise<void> {
  const { chain, owner, pool: poolAddress } = subject(chainId)
  const provider = await createProvider(chain, stack.callers[transport])
  const transfer = { abi: poolAbi, functionName: 'transfer', args: [provider.address, 10n ** 21n] } as const
  await writeContract(owner.client, { address: poolAddress, ...transfer })
  const withdrawal = await previewWithdraw(chainId, { transport, poolAddress, lpAmount: '1000' })
  expect(await provider.withdraw(withdrawal)).toEqual(toGains(withdrawal, 1n))
}

async function readUpdatedAt(chainId: Network.ChainId): Promise<string> {
  const { chain, owner } = subject(chainId)
  const abi = parseAbi(['function latestRoundData() view returns (uint80, int256, uint256, uint256 updatedAt, uint80)'])
  const oracle = { address: chain.oracles.tAUD, abi, functionName: 'latestRoundData' } as const
  const [, , , updatedAtSeconds] = await owner.client.readContract(oracle)
  return new Date(Number(updatedAtSeconds) * 1000).toISOString()
}

/** Responds like a node whose newest block is six minutes old. */
const inThePast: Answer = async (_, response, callNode) => {
  const timestamp = `0x${(Math.floor(Date.now() / 1000) - 360).toString(16)}`
  const answered = (await callNode()).replaceAll(/"timestamp":"0x[0-9a-f]+"/g, `"timestamp":"${timestamp}"`)
  response.writeHead(200, { 'content-type': 'application/json' }).end(answered)
}

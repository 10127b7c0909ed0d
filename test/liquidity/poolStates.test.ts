import { Network } from '@agio/core'
import { pushPrices } from '@agio/localnet'
import { formatUnits, parseAbi, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFrozen } from '../harness/changePool.ts'
import { createProvider, toGains } from './createProvider.ts'
import { partOf } from '../harness/partOf.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { operations, setUpLiquidity } from './setUpLiquidity.ts'

const oracleAbi = parseAbi([
  'function latestRoundData() view returns (uint80, int256, uint256, uint256 updatedAt, uint80)',
])

const { stack, subject, request, preview, expectWithdrawal } = setUpLiquidity()

describe.each(partOf(Network.chainIds))('on chain %i', (chainId) => {
  describe('an empty pool', () => {
    it('error: svc/amount-too-small for a first deposit that only covers the locked LP tokens', async () => {
      const pool = { chainId, poolAddress: subject(chainId).emptyPool }
      expect(await request('liquidity.previewDeposit', formatUnits(10n ** 6n, 18), pool)).toMatchObject({
        status: 422,
        failure: { code: 'svc/amount-too-small', action: 'fix_input' },
      })
    })

    it('error: svc/invalid-request for a withdrawal from an empty pool', async () => {
      const pool = { chainId, poolAddress: subject(chainId).emptyPool }
      const outcome = await request('liquidity.previewWithdraw', '0.000000000000000001', pool)
      expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field: 'lpAmount' } })
    })

    it('an empty pool takes its first deposit at the oracle prices, as previewed', async () => {
      const { chain, owner, emptyPool: poolAddress } = subject(chainId)
      const id = await owner.client.snapshot()
      const provider = await createProvider(chain, stack.callers.REST)
      const first = await preview('liquidity.previewDeposit', '2000', { chainId, poolAddress })
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

    it('error: svc/pool-frozen for a deposit into a frozen pool', async () => {
      const outcome = await request('liquidity.previewDeposit', '1', { chainId })
      expect(outcome).toMatchObject({ status: 422, failure: { code: 'svc/pool-frozen', retryable: true } })
    })

    it('a frozen pool pays a withdrawal as previewed', () => expectWithdrawal(chainId))
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

    it('error: svc/stale-price for the first deposit into a pool with stale prices', async () => {
      const { chain, owner, emptyPool: poolAddress } = subject(chainId)
      const oracle = { address: chain.oracles.tAUD, abi: oracleAbi, functionName: 'latestRoundData' } as const
      const [, , , updatedAtSeconds] = await owner.client.readContract(oracle)
      const updatedAt = new Date(Number(updatedAtSeconds) * 1000).toISOString()
      expect(await request('liquidity.previewDeposit', '2000', { chainId, poolAddress })).toMatchObject({
        status: 422,
        failure: { code: 'svc/stale-price', oracle: oracle.address, updatedAt, maxAgeSeconds: 3600, action: 'wait' },
      })
    })

    it('a pool with stale prices takes later deposits as previewed, without reading a price', async () => {
      const provider = await createProvider(subject(chainId).chain, stack.callers.REST)
      const deposit = await preview('liquidity.previewDeposit', '1000', { chainId })
      expect(await provider.deposit(deposit)).toEqual(toGains(deposit, -1n))
    })

    it('a pool with stale prices pays a withdrawal as previewed', () => expectWithdrawal(chainId))
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

    it.each(operations)('error: svc/reverted from %s of a pool with a broken token', async (operation) => {
      expect(await request(operation, '1', { chainId })).toMatchObject({
        status: 422,
        failure: { code: 'svc/reverted', revert: { name: 'Revert', args: [] } },
      })
    })
  })
})

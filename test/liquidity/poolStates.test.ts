import { Network } from '@agio/core'
import { pushPrices } from '@agio/localnet'
import { formatUnits, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFrozen } from '../harness/changePool.ts'
import { createProvider, toGains } from './createProvider.ts'
import { partOf } from '../harness/partOf.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { setUpLiquidity, transports, everyOperation } from './setUpLiquidity.ts'

const liquidity = setUpLiquidity()
const { emptyPools, subject, previewDeposit, requestOperation, expectWithdrawal, readUpdatedAt } = liquidity

describe.each(partOf(Network.chainIds))('on chain %i', (chainId) => {
  describe('an empty pool', () => {
    it.each(transports)(
      'error: svc/amount-too-small for a first deposit that only covers the locked LP tokens (%s)',
      async (transport) => {
        const [call, poolAddress] = [liquidity.stack.callers[transport], emptyPools[chainId]]
        const input = { chainId, poolAddress, value: formatUnits(10n ** 6n, 18) }
        expect(await call('liquidity.previewDeposit', input)).toMatchObject({
          status: 422,
          failure: { code: 'svc/amount-too-small', action: 'fix_input' },
        })
      },
    )

    it.each(transports)('error: svc/invalid-request for a withdrawal from an empty pool (%s)', async (transport) => {
      const [call, poolAddress] = [liquidity.stack.callers[transport], emptyPools[chainId]]
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
      const provider = await createProvider(chain, liquidity.stack.callers.REST)
      await waitForBlock(liquidity.stack.url, chain)
      const poolAddress = emptyPools[chainId]
      const first = await previewDeposit(chainId, { transport: 'tRPC', poolAddress, value: '2000' })
      expect(first).toMatchObject({
        lpAmount: '1999.999999999999000000',
        amounts: { token0: '1535.626536', token1: '1000.000000' },
        shareOfPool: '100.00000000%',
      })
      expect(await provider.deposit(first)).toEqual(toGains(first, -1n))
      await owner.client.revert({ id })
      await waitForBlock(liquidity.stack.url, chain)
    })
  })

  describe('a frozen pool', () => {
    beforeAll(async () => {
      const { chain } = subject(chainId)
      await setFrozen(chain, true)
      await waitForBlock(liquidity.stack.url, chain)
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
      await waitForBlock(liquidity.stack.url, chain)
    })
    afterAll(async () => {
      const { chain } = subject(chainId)
      await pushPrices(chain)
      await waitForBlock(liquidity.stack.url, chain)
    })

    it.each(transports)(
      'error: svc/stale-price for the first deposit into a pool with stale prices (%s)',
      async (transport) => {
        const { chain } = subject(chainId)
        const input = { chainId, poolAddress: emptyPools[chainId], value: '2000' }
        expect(await liquidity.stack.callers[transport]('liquidity.previewDeposit', input)).toMatchObject({
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
        const provider = await createProvider(chain, liquidity.stack.callers[transport])
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
      await waitForBlock(liquidity.stack.url, chain)
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

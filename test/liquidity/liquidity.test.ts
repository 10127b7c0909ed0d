import { Network } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { formatUnits, parseUnits } from 'viem'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { convert, donate } from '../harness/changePool.ts'
import { createProvider, readShare, toGains } from './createProvider.ts'
import { partOf } from '../harness/partOf.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { setUpLiquidity, everyOperation, transports } from './setUpLiquidity.ts'

const liquidity = setUpLiquidity()
const { subject, requestOperation, previewDeposit, previewWithdraw } = liquidity

describe('liquidity previews', () => {
  it.each(everyOperation)(
    '$operation sends one request to the node, for the snapshot of its block ($transport)',
    async (subjectOf) => {
      const { chain, owner } = subject(84532)
      await waitForBlock(liquidity.stack.url, chain)
      const { hash } = await owner.client.getBlock()
      const request = () => requestOperation(84532, subjectOf, '1')
      await request()
      const before = liquidity.proxy.requests.length
      expect(await recordRequests(liquidity.proxy, request)).toEqual(['eth_call'])
      expect(liquidity.proxy.requests.slice(before).map(({ body }) => body)).toContainEqual(
        expect.stringContaining(hash),
      )
    },
  )

  it.each(everyOperation)(
    'error: svc/upstream-unavailable from $operation over an unreachable node ($transport)',
    async (of) => {
      const { chain, owner } = subject(84532)
      await liquidity.proxy.close()
      onTestFinished(async () => {
        await liquidity.proxy.reopen()
        await owner.client.mine({ blocks: 1 })
        await waitForBlock(liquidity.stack.url, chain)
      })
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
        const provider = await createProvider(chain, liquidity.stack.callers[transport])
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

  it('error: svc/amount-too-small for a deposit that buys no LP tokens, which are worth more than a dollar', async () => {
    const of = { transport: 'REST', operation: 'liquidity.previewDeposit' } as const
    const outcome = await requestOperation(chainId, of, formatUnits(1n, 18))
    expect(outcome).toMatchObject({ status: 422, failure: { code: 'svc/amount-too-small' } })
  })
})

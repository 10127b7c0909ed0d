import { Network } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { formatUnits, parseUnits } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { convert, donate } from '../harness/changePool.ts'
import { createProvider, readShare, toGains } from './createProvider.ts'
import { partOf } from '../harness/partOf.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { operations, setUpLiquidity } from './setUpLiquidity.ts'

const { stack, subject, request, preview } = setUpLiquidity()

describe('liquidity previews', () => {
  it.each(operations)('%s sends one request to the node, for the snapshot of its block', async (operation) => {
    const { chain, owner } = subject(84532)
    const proxy = stack.proxies[84532]
    await waitForBlock(stack.url, chain)
    const { hash } = await owner.client.getBlock()
    const requestAgain = () => request(operation, '1', { chainId: 84532 })
    await requestAgain()
    const before = proxy.requests.length
    expect(await recordRequests(proxy, requestAgain)).toEqual(['eth_call'])
    expect(proxy.requests.slice(before).map(({ body }) => body)).toContainEqual(expect.stringContaining(hash))
  })

  it.each(operations)('error: svc/upstream-unavailable from %s over an unreachable node', async (operation) => {
    const { chain, owner } = subject(84532)
    const proxy = stack.proxies[84532]
    await proxy.close()
    onTestFinished(async () => {
      await proxy.reopen()
      await owner.client.mine({ blocks: 1 })
      await waitForBlock(stack.url, chain)
    })
    const failure = { code: 'svc/upstream-unavailable' }
    expect(await request(operation, '1', { chainId: 84532 })).toMatchObject({ status: 503, failure })
  })
})

describe.each(partOf(Network.chainIds))('on chain %i', (chainId) => {
  it.each([
    ['without changes', () => Promise.resolve()],
    ['that holds more of its first token', (chain: LocalChain) => convert(chain, 'tAUD', '400000')],
    ['that holds more of its second token', (chain: LocalChain) => convert(chain, 'tUSD', '700000')],
    ['with an odd donation', (chain: LocalChain) => donate(chain, 'tUSD', '12345.678901')],
  ])('a deposit into a pool %s and its withdrawals match their previews, to the wei', async (_, change) => {
    const { chain } = subject(chainId)
    await change(chain)
    const provider = await createProvider(chain, stack.callers.REST)
    const deposit = await preview('liquidity.previewDeposit', '12345.678901234567890123', { chainId })
    expect(await provider.deposit(deposit)).toEqual(toGains(deposit, -1n))
    expect(deposit.shareOfPool).toBe(await readShare(chain, deposit))

    const lpRaw = parseUnits(deposit.lpAmount, 18)
    for (const partRaw of [1n, lpRaw / 3n, lpRaw - lpRaw / 3n - 1n]) {
      const withdrawal = await preview('liquidity.previewWithdraw', formatUnits(partRaw, 18), { chainId })
      expect(withdrawal.shareOfPool).toBe(await readShare(chain, withdrawal))
      expect(await provider.withdraw(withdrawal)).toEqual(toGains(withdrawal, 1n))
    }
  })

  it('error: svc/amount-too-small for a deposit that buys no LP tokens, which are worth more than a dollar', async () => {
    const outcome = await request('liquidity.previewDeposit', formatUnits(1n, 18), { chainId })
    expect(outcome).toMatchObject({ status: 422, failure: { code: 'svc/amount-too-small' } })
  })
})

import { Network } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import fc from 'fast-check'
import { formatUnits, parseUnits } from 'viem'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { convert, donate, fundOwner } from '../harness/changePool.ts'
import { createProvider } from './createProvider.ts'
import { arbitraryRequest, type LiquidityRequest, executeAndRevert } from './LiquidityRequest.ts'
import { readShare, toGains, toMoved, type Preview } from './Preview.ts'
import { partOf } from '../harness/partOf.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import type { Answer } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { setUpLiquidity, everyOperation, transports } from './setUpLiquidity.ts'

const liquidity = setUpLiquidity()
const { subject, requestOperation, previewDeposit, previewWithdraw, requestPreview } = liquidity

const seed = randomSeed('deposits and withdrawals')

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
    'error: svc/upstream-unavailable from $operation over a lagging node ($transport)',
    async (of) => {
      const { chain, owner } = subject(84532)
      liquidity.proxy.setAnswer(inThePast)
      onTestFinished(async () => {
        liquidity.proxy.reset()
        await owner.client.mine({ blocks: 1 })
        await waitForBlock(liquidity.stack.url, chain)
      })
      await owner.client.mine({ blocks: 1 })
      await waitForBlock(liquidity.stack.url, chain)
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

  it('liquidity previews of any size match their execution, errors included', async () => {
    const { chain, owner, pool } = subject(chainId)
    await fundOwner(chain)
    await waitForBlock(liquidity.stack.url, chain)
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
    await waitForBlock(liquidity.stack.url, chain)
  })
})

/** A value that buys no LP tokens once an LP token is worth more than a dollar. */
const dust: LiquidityRequest = { action: 'deposit', amountRaw: 1n }

const atLeast = (least: number) => expect.toSatisfy((count: number) => count >= least) as number

/** Responds like a node whose newest block is six minutes old. */
const inThePast: Answer = async (_, response, callNode) => {
  const timestamp = `0x${(Math.floor(Date.now() / 1000) - 360).toString(16)}`
  const answered = (await callNode()).replaceAll(/"timestamp":"0x[0-9a-f]+"/g, `"timestamp":"${timestamp}"`)
  response.writeHead(200, { 'content-type': 'application/json' }).end(answered)
}

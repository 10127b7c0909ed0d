import { poolAbi } from '@agio/chain/abi'
import { Network, type Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, formatUnits, maxUint256, parseEventLogs, parseUnits } from 'viem'
import { expect, it } from 'vitest'
import { fundOwner } from '../harness/changePool.ts'
import type { Owner } from '../harness/connectOwner.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { ofAnySize } from '../maths/arbitraryCases.ts'
import { atLeast } from '../maths/atLeast.ts'
import type { Preview } from './createProvider.ts'
import { setUpLiquidity } from './setUpLiquidity.ts'

const liquidity = setUpLiquidity()

const seed = randomSeed('deposits and withdrawals')

/** A request for a preview: a deposit in dollars, or a withdrawal in LP tokens, both with 18 decimals. */
type LiquidityRequest = { readonly action: 'deposit' | 'withdraw'; readonly amountRaw: bigint }

/** Dollars up to a hundred million, or LP tokens up to a million; all numbers of digits are equally likely. */
const arbitraryRequest: fc.Arbitrary<LiquidityRequest> = fc.oneof(
  fc.record({ action: fc.constant('deposit'), amountRaw: ofAnySize(26) }),
  fc.record({ action: fc.constant('withdraw'), amountRaw: ofAnySize(24) }),
)

it.each(Network.chainIds)(
  'liquidity previews of any size match their execution, errors included, on chain %i',
  async (chainId) => {
    const { chain, owner, pool } = liquidity.subject(chainId)
    await fundOwner(chain)
    await waitForBlock(liquidity.stack.url, chain)
    const requests = fc.sample(arbitraryRequest, { seed, numRuns: 100 })
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
    expect(counts, `seed ${seed}`).toMatchObject(atLeast({ deposit: 25, withdraw: 25 }))
  },
)

async function requestPreview(chainId: Network.ChainId, { action, amountRaw }: LiquidityRequest) {
  const operation = action === 'deposit' ? 'liquidity.previewDeposit' : 'liquidity.previewWithdraw'
  return await liquidity.request(operation, formatUnits(amountRaw, 18), { chainId })
}

/** The expected transfers when a preview is executed, raw, by lower-case token address. */
function toMoved({ tokens }: LocalChain, { poolAddress, lpAmount, amounts }: Preview) {
  return {
    [tokens.tAUD.toLowerCase()]: parseUnits(amounts.token0, 6),
    [tokens.tUSD.toLowerCase()]: parseUnits(amounts.token1, 6),
    [poolAddress.toLowerCase()]: parseUnits(lpAmount, 18),
  }
}

/**
 * Executes a request as the owner and without bounds, and reverts the chain afterwards.
 *
 * @returns the transfer of each token, raw, by lower-case address; undefined if the transaction reverted
 */
async function executeAndRevert({ client }: Owner, pool: Address, { action, amountRaw }: LiquidityRequest) {
  const id = await client.snapshot()
  const deposited = [amountRaw, 0n, 0n, maxUint256, maxUint256, maxUint256] as const
  const data =
    action === 'withdraw'
      ? encodeFunctionData({ abi: poolAbi, functionName: 'withdraw', args: [amountRaw, maxUint256] })
      : encodeFunctionData({ abi: poolAbi, functionName: 'deposit', args: deposited })
  try {
    const hash = await client.sendTransaction({ to: pool, data, chain: null, gas: 1_000_000n })
    const { status, logs } = await client.getTransactionReceipt({ hash })
    if (status !== 'success') return undefined
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    return Object.fromEntries(transfers.map(({ address, args }) => [address.toLowerCase(), args.value]))
  } finally {
    await client.revert({ id })
  }
}

import { poolAbi } from '@agio/chain/abi'
import { erc20Abi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createWallet } from '../harness/createWallet.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { foreignDecimals, type ForeignPair, type ForeignToken } from '../harness/deployForeignPools.ts'
import { countCalls, recordRequests } from '../harness/recordRequests.ts'
import { setState } from './changeMarket.ts'
import { startForeignStack, type ForeignStack } from '../harness/startForeignStack.ts'

const transports = ['REST', 'tRPC'] as const
const chainId = 84532
const pairs: readonly ForeignPair[] = ['fEUR/fUSD', 'fAUD/fUSD', 'fSGD/fUSD']

let stack: ForeignStack

beforeAll(async () => {
  stack = await startForeignStack()
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe.each(transports)('foreign pools (%s)', (transport) => {
  it('foreign pools are listed with their reserves and their supply', async () => {
    const { status, data } = await stack.callers[transport]('pools.list', { chainId })
    expect(status).toBe(200)
    const pools = await Promise.all(pairs.map((pair) => readPool(pair)))
    expect(data).toMatchObject({ pools, pagination: { page: 1, limit: 20, total: 3 } })
  })

  it.each([
    ['fEUR/fUSD', '0.05%', '1.08450000'],
    ['fAUD/fUSD', '0.15%', '0.65120000'],
    ['fSGD/fUSD', '0.05%', '0.74210000'],
  ] as const)('foreign pools return their fee and prices, but no largest input: %s', async (pair, fee, usd) => {
    const input = { chainId, poolAddress: stack.market.pools[pair] }
    const { status, data } = await stack.callers[transport]('pools.get', input)
    expect(status).toBe(200)
    const { oracles } = stack.market
    expect(data).toMatchObject({
      ...(await readPool(pair)),
      fee,
      oracles: {
        token0: { address: oracles[pair.split('/')[0] as ForeignToken], usd, stale: false },
        token1: { address: oracles.fUSD, usd: '0.99870000', stale: false },
      },
    })
    expect(data).not.toHaveProperty('maxAmountIn')
  })

  it('foreign pools have a reference token priced by an oracle', async () => {
    const { data } = await stack.callers[transport]('oracle.prices', { chainId })
    const { oracles } = stack.market
    expect(data).toMatchObject({
      chainName: 'Base Sepolia',
      prices: {
        fUSD: { usd: '0.99870000', oracle: oracles.fUSD, stale: false },
        fEUR: { usd: '1.08450000', oracle: oracles.fEUR, stale: false },
        fAUD: { usd: '0.65120000', oracle: oracles.fAUD, stale: false },
        fSGD: { usd: '0.74210000', oracle: oracles.fSGD, stale: false },
      },
    })
  })

  it('foreign pools preview deposits and withdrawals by their own views', async () => {
    for (const pair of pairs) {
      const [deposit, withdrawal] = await Promise.all([readDeposit(pair, '1000'), readWithdrawal(pair, '1000')])
      const poolAddress = stack.market.pools[pair]
      const input = { chainId, poolAddress }
      const deposited = await stack.callers[transport]('liquidity.previewDeposit', { ...input, value: '1000' })
      expect(deposited).toMatchObject({ status: 200, data: { poolAddress, ...deposit } })
      const withdrawn = await stack.callers[transport]('liquidity.previewWithdraw', { ...input, lpAmount: '1000' })
      expect(withdrawn).toMatchObject({ status: 200, data: { poolAddress, ...withdrawal } })
    }
  })

  it('foreign pools support approvals, nonces and statuses, but have no faucet', async () => {
    const call = stack.callers[transport]
    const { address: userAddress } = await createWallet(stack.market.chain)
    const { router: spenderAddress } = stack.market.deployment
    const approval = { chainId, tokenAddress: stack.market.tokens.fAUD, spenderAddress }
    const checked = await call('approval.check', { ...approval, ownerAddress: userAddress, requiredAmount: '0.5' })
    expect(checked).toMatchObject({ data: { needsApproval: true, currentAllowance: `0.${'0'.repeat(18)}` } })
    expect(await call('approval.build', { ...approval, amount: '1.5' })).toMatchObject({ status: 200 })
    expect(await call('approval.revoke', approval)).toMatchObject({ status: 200 })
    expect(await call('transaction.nonce', { chainId, address: userAddress })).toMatchObject({ data: { nonce: 0 } })
    for (const operation of ['faucet.info', 'faucet.tokens', 'faucet.buildClaimAll']) {
      const input = operation === 'faucet.tokens' ? { chainId } : { chainId, userAddress }
      expect(await call(operation, input)).toMatchObject({ status: 404, failure: { code: 'svc/not-found' } })
    }
  })
})

it.each(transports)(
  'error: svc/pool-frozen for liquidity of a frozen foreign pool whose views do not revert (%s)',
  async (transport) => {
    onTestFinished(() => setState(stack, 'fEUR/fUSD', ['setFrozen', false]))
    await setState(stack, 'fEUR/fUSD', ['setFrozen', true])
    const input = { chainId, poolAddress: stack.market.pools['fEUR/fUSD'] }
    const calls = [
      ['liquidity.previewDeposit', { ...input, value: '1000' }],
      ['liquidity.previewWithdraw', { ...input, lpAmount: '1000' }],
    ] as const
    for (const [operation, request] of calls) {
      const answer = await stack.callers[transport](operation, request)
      expect(answer).toMatchObject({ status: 422, failure: { code: 'svc/pool-frozen' } })
    }
  },
)

it.each(transports)(
  'error: svc/amount-too-small for a deposit into a foreign pool that buys nothing (%s)',
  async (transport) => {
    const input = { chainId, poolAddress: stack.market.pools['fEUR/fUSD'], value: `0.${'0'.repeat(17)}1` }
    const answer = await stack.callers[transport]('liquidity.previewDeposit', input)
    expect(answer).toMatchObject({ status: 422, failure: { code: 'svc/amount-too-small' } })
  },
)

it('all foreign pools are read in one request per block, frozen ones included', async () => {
  onTestFinished(() => setState(stack, 'fAUD/fUSD', ['setFrozen', false]))
  await setState(stack, 'fAUD/fUSD', ['setFrozen', true])
  for (let block = 0; block < 3; block += 1) {
    const requests = await recordRequests(stack.proxy, async () => {
      await stack.owner.client.mine({ blocks: 1 })
      await stack.seen()
      await Promise.all(transports.map((transport) => stack.callers[transport]('pools.list', { chainId })))
      await stack.callers.REST('oracle.prices', { chainId })
    })
    expect(countCalls(requests, 'eth_call')).toBe(1)
  }
})

async function readPool(pair: ForeignPair) {
  const address = stack.market.pools[pair]
  const symbols = pair.split('/') as [ForeignToken, ForeignToken]
  const held = await Promise.all(
    symbols.map(async (symbol) => {
      const balance = { address: stack.market.tokens[symbol], abi: erc20Abi, functionName: 'balanceOf' } as const
      return toDecimal(await stack.owner.client.readContract({ ...balance, args: [address] }), foreignDecimals[symbol])
    }),
  )
  const supply = { address, abi: poolAbi, functionName: 'totalSupply' } as const
  const [token0, token1] = symbols.map((symbol) => ({
    address: stack.market.tokens[symbol],
    symbol,
    decimals: foreignDecimals[symbol],
  }))
  const [reserve0, reserve1] = held.map((amount) => withSixDigits(amount))
  const totalSupply = toDecimal(await stack.owner.client.readContract(supply), 18)
  return { address, name: pair, chainId, token0, token1, reserves: { token0: reserve0, token1: reserve1 }, totalSupply }
}

function withSixDigits(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  return `${whole}.${fraction.padEnd(6, '0').slice(0, 6)}`
}

async function readDeposit(pair: ForeignPair, value: string) {
  const view = { address: stack.market.pools[pair], abi: poolAbi, functionName: 'viewDeposit' } as const
  const [lpAmount, amounts] = await stack.owner.client.readContract({ ...view, args: [parseEther(value)] })
  return { lpAmount: toDecimal(lpAmount, 18), amounts: toAmounts(pair, amounts) }
}

async function readWithdrawal(pair: ForeignPair, lpAmount: string) {
  const view = { address: stack.market.pools[pair], abi: poolAbi, functionName: 'viewWithdraw' } as const
  const amounts = await stack.owner.client.readContract({ ...view, args: [parseEther(lpAmount)] })
  return { amounts: toAmounts(pair, amounts) }
}

function toAmounts(pair: ForeignPair, amounts: readonly bigint[]) {
  const [token0, token1] = (pair.split('/') as ForeignToken[]).map((symbol, index) =>
    toDecimal(amounts[index] ?? 0n, foreignDecimals[symbol]),
  )
  return { token0, token1 }
}

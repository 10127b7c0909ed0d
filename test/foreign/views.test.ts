import { poolAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { erc20Abi, maxUint256, parseAbi, parseEther } from 'viem'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { toDecimal } from '../harness/toPreview.ts'
import { foreignDecimals, type ForeignPair, type ForeignToken } from '../harness/deployForeignPools.ts'
import { writeContract } from '../harness/writeContract.ts'
import { setState } from './changeMarket.ts'
import { startForeignStack } from '../harness/startForeignStack.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'

const transports = ['REST', 'tRPC'] as const
const operations = ['liquidity.previewDeposit', 'liquidity.previewWithdraw'] as const
const abi = parseAbi([
  'function setCap(uint256 cap)',
  'function deposit(uint256 value, uint256 minQuote, uint256 minBase, uint256 maxQuote, uint256 maxBase, uint256 deadline)',
  'function withdraw(uint256 lpAmount, uint256 deadline)',
])
const chainId = 84532
const pairs: readonly ForeignPair[] = ['fEUR/fUSD', 'fAUD/fUSD', 'fSGD/fUSD']

const stack = setUp(startForeignStack)
let pool: Address

beforeAll(async () => {
  pool = stack.market.pools['fEUR/fUSD']
})

describe.each(partOf(transports))('foreign pools (%s)', (transport) => {
  it.each([
    ['fEUR/fUSD', '0.05%', '1.08450000'],
    ['fAUD/fUSD', '0.15%', '0.65120000'],
    ['fSGD/fUSD', '0.05%', '0.74210000'],
  ] as const)(
    'foreign pools are listed, with their fee and prices, but no largest input: %s',
    async (pair, fee, usd) => {
      const input = { chainId, poolAddress: stack.market.pools[pair] }
      const { status, data } = await stack.callers[transport]('pools.get', input)
      expect(status).toBe(200)
      const [{ oracles }, expected] = [stack.market, await readPool(pair)]
      const listed = await stack.callers[transport]('pools.list', { chainId })
      const pools = listed.data?.['pools'] as readonly { readonly address: Address }[]
      expect(pools.find(({ address }) => address === expected.address)).toMatchObject(expected)
      expect(data).toMatchObject({
        ...expected,
        fee,
        oracles: {
          token0: { address: oracles[pair.split('/')[0] as ForeignToken], usd, stale: false },
          token1: { address: oracles.fUSD, usd: '0.99870000', stale: false },
        },
      })
      expect(data).not.toHaveProperty('maxAmountIn')
    },
  )

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

  it('error: svc/not-found for the faucet of a deployment without one', async () => {
    const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    for (const operation of ['faucet.info', 'faucet.tokens', 'faucet.buildClaimAll']) {
      const input = operation === 'faucet.tokens' ? { chainId } : { chainId, userAddress }
      const refused = { status: 404, failure: { code: 'svc/not-found' } }
      expect(await stack.callers[transport](operation, input)).toMatchObject(refused)
    }
  })
})

describe.each(partOf(transports))('a liquidity preview of a foreign pool (%s)', (transport) => {
  const preview = async (operation: (typeof operations)[number], amount: string) => {
    const input = operation === 'liquidity.previewDeposit' ? { value: amount } : { lpAmount: amount }
    return await stack.callers[transport](operation, { chainId, poolAddress: pool, ...input })
  }

  it('error: svc/pool-frozen for a deposit and a withdrawal in an emergency, in which the pool refuses both', async () => {
    onTestFinished(() => setState(stack, 'fEUR/fUSD', ['setEmergency', false]))
    await setState(stack, 'fEUR/fUSD', ['setEmergency', true])
    for (const operation of operations) {
      expect(await preview(operation, '1000')).toMatchObject({ status: 422, failure: { code: 'svc/pool-frozen' } })
    }
    await expect(withdraw()).rejects.toThrow('Curve/emergency-only-allowing-emergency-proportional-withdraw')
    await expect(deposit('1000')).rejects.toThrow('Curve/emergency-only-allowing-emergency-proportional-withdraw')
  })

  it('error: svc/pool-frozen for liquidity of a frozen pool, whose views do not revert, and which refuses deposits', async () => {
    onTestFinished(() => setState(stack, 'fEUR/fUSD', ['setFrozen', false]))
    await setState(stack, 'fEUR/fUSD', ['setFrozen', true])
    for (const operation of operations) {
      expect(await preview(operation, '1000')).toMatchObject({ status: 422, failure: { code: 'svc/pool-frozen' } })
    }
    await expect(deposit('1000')).rejects.toThrow('Curve/frozen-only-allowing-proportional-withdraw')
  })

  it('error: svc/above-max-origin for a deposit above a cap that no view returns, and a preview up to the cap', async () => {
    const supply = await stack.owner.client.readContract({ address: pool, abi: poolAbi, functionName: 'totalSupply' })
    onTestFinished(() => setCap(0n))
    await setCap(supply + parseEther('1000'))
    expect(await preview('liquidity.previewDeposit', '1000')).toMatchObject({ status: 200 })
    expect(await preview('liquidity.previewDeposit', '1000.01')).toMatchObject({
      status: 422,
      failure: { code: 'svc/above-max-origin', amountIn: '1000.010000000000000000', action: 'fix_input' },
    })
    await expect(deposit('1000.01')).rejects.toThrow('curve/exceeds pool cap')
    expect(await preview('liquidity.previewWithdraw', '1000')).toMatchObject({ status: 200 })
  })

  it('error: svc/amount-too-small for a deposit that buys nothing, or takes nothing of one token, which the pool refuses', async () => {
    const failure = { code: 'svc/amount-too-small' }
    // Less than one cent of the token with two decimals.
    for (const value of [`0.${'0'.repeat(17)}1`, '0.001']) {
      expect(await preview('liquidity.previewDeposit', value)).toMatchObject({ status: 422, failure })
    }
    await expect(deposit('0.001')).rejects.toThrow('intakeNumeraire/zero-amount!')
  })
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

async function setCap(cap: bigint): Promise<void> {
  await writeContract(stack.owner.client, { address: pool, abi, functionName: 'setCap', args: [cap] })
  await stack.seen()
}

/** Simulates a deposit of the owner, who holds LP tokens and has created every token. */
async function deposit(value: string): Promise<unknown> {
  const args = [parseEther(value), 0n, 0n, maxUint256, maxUint256, maxUint256] as const
  return await stack.owner.client.simulateContract({ address: pool, abi, functionName: 'deposit', args })
}

async function withdraw(): Promise<unknown> {
  const args = [parseEther('1'), maxUint256] as const
  return await stack.owner.client.simulateContract({ address: pool, abi, functionName: 'withdraw', args })
}

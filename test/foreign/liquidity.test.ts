import { poolAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { maxUint256, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { writeContract } from '../harness/writeContract.ts'
import { setState } from './changeMarket.ts'
import { startForeignStack, type ForeignStack } from '../harness/startForeignStack.ts'

const transports = ['REST', 'tRPC'] as const
const operations = ['liquidity.previewDeposit', 'liquidity.previewWithdraw'] as const
const abi = parseAbi([
  'function setCap(uint256 cap)',
  'function deposit(uint256 value, uint256 minQuote, uint256 minBase, uint256 maxQuote, uint256 maxBase, uint256 deadline)',
  'function withdraw(uint256 lpAmount, uint256 deadline)',
])

let stack: ForeignStack
let pool: Address

beforeAll(async () => {
  stack = await startForeignStack()
  pool = stack.market.pools['fEUR/fUSD']
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe.each(transports)('a liquidity preview of a foreign pool (%s)', (transport) => {
  const preview = async (operation: (typeof operations)[number], amount: string) => {
    const input = operation === 'liquidity.previewDeposit' ? { value: amount } : { lpAmount: amount }
    return await stack.callers[transport](operation, { chainId: 84532, poolAddress: pool, ...input })
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

  it('error: svc/pool-frozen for a deposit while the pool is frozen, in which the pool refuses it', async () => {
    onTestFinished(() => setState(stack, 'fEUR/fUSD', ['setFrozen', false]))
    await setState(stack, 'fEUR/fUSD', ['setFrozen', true])
    const failure = { code: 'svc/pool-frozen' }
    expect(await preview('liquidity.previewDeposit', '1000')).toMatchObject({ status: 422, failure })
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

  it('error: svc/amount-too-small for a deposit that takes nothing of one token, which the pool refuses', async () => {
    // Less than one cent of the token with two decimals.
    const failure = { code: 'svc/amount-too-small' }
    expect(await preview('liquidity.previewDeposit', '0.001')).toMatchObject({ status: 422, failure })
    await expect(deposit('0.001')).rejects.toThrow('intakeNumeraire/zero-amount!')
  })
})

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

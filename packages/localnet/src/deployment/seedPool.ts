import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData, maxUint256 } from 'viem'
import type { Deployer } from './createDeployer.ts'

/**
 * Makes a pool's first deposit, of tokens minted for it. The deployer keeps the shares.
 *
 * @param value what both sides together are worth, in dollars with 18 decimals
 */
export async function seedPool(deployer: Deployer, pool: Address, value: bigint): Promise<void> {
  const read = { address: pool, abi: poolAbi } as const
  const [, [base = 0n, quote = 0n]] = await deployer.client.readContract({
    ...read,
    functionName: 'viewDeposit',
    args: [value],
  })
  for (const [index, amount] of [base, quote].entries()) {
    const side = { ...read, functionName: 'numeraires', args: [BigInt(index)] } as const
    await provide(deployer, pool, { token: await deployer.client.readContract(side), amount })
  }
  // Nobody else can change an empty pool's terms, so the bounds are exact and there is no deadline.
  const args = [value, quote, base, quote, base, maxUint256] as const
  await deployer.send(pool, encodeFunctionData({ abi: poolAbi, functionName: 'deposit', args }))
}

async function provide(deployer: Deployer, spender: Address, { token, amount }: TokenAmount): Promise<void> {
  const mint = { abi: tokenAbi, functionName: 'mint', args: [deployer.address, amount] } as const
  const approve = { abi: tokenAbi, functionName: 'approve', args: [spender, amount] } as const
  await deployer.send(token, encodeFunctionData(mint))
  await deployer.send(token, encodeFunctionData(approve))
}

type TokenAmount = { readonly token: Address; readonly amount: bigint }

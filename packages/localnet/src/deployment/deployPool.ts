import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData, maxUint256, parseEther } from 'viem'
import type { Deployer } from './createDeployer.ts'
import type { DeployedAsset } from './deployAsset.ts'

/** Deploys an empty pool with the parameters that all our pools share. */
export async function deployPool(deployer: Deployer, base: DeployedAsset, quote: DeployedAsset): Promise<Address> {
  const config = {
    name: `Agio ${base.symbol}/${quote.symbol} Liquidity`,
    symbol: `LP-${base.symbol}-${quote.symbol}`,
    base: base.token,
    quote: quote.token,
    baseReader: base.reader,
    quoteReader: quote.reader,
    alpha: parseEther('0.5'),
    epsilon: parseEther('0.0005'),
    owner: deployer.address,
  }
  return await deployer.deploy('Pool', [config])
}

/** Sets the account that may freeze a pool, and may not unfreeze it. */
export async function setGuardian(deployer: Deployer, pool: Address, guardian: Address): Promise<void> {
  await deployer.send(pool, encodeFunctionData({ abi: poolAbi, functionName: 'setGuardian', args: [guardian] }))
}

/**
 * Makes the first deposit into a pool, with newly minted tokens. The deployer keeps the shares.
 *
 * @param value the value of both sides together, in dollars with 18 decimals
 */
export async function seedPool(deployer: Deployer, pool: Address, value: bigint): Promise<void> {
  const sides = await readDeposit(deployer, pool, value)
  for (const { token, amount } of sides) {
    const mint = { abi: tokenAbi, functionName: 'mint', args: [deployer.address, amount] } as const
    await deployer.send(token, encodeFunctionData(mint))
  }
  await deposit(deployer, pool, { value, sides })
}

/**
 * Makes the first deposit into a pool, from the balance of the deployer, who keeps the shares.
 *
 * @param value the value of both sides together, in dollars with 18 decimals
 */
export async function depositInto(deployer: Deployer, pool: Address, value: bigint): Promise<void> {
  await deposit(deployer, pool, { value, sides: await readDeposit(deployer, pool, value) })
}

async function deposit(deployer: Deployer, pool: Address, { value, sides }: FirstDeposit): Promise<void> {
  for (const { token, amount } of sides) {
    const approve = { abi: tokenAbi, functionName: 'approve', args: [pool, amount] } as const
    await deployer.send(token, encodeFunctionData(approve))
  }
  const [base = 0n, quote = 0n] = sides.map(({ amount }) => amount)
  // The bounds are exact: if the price of a feed moves meanwhile, the deposit reverts. A deadline is unnecessary.
  const args = [value, quote, base, quote, base, maxUint256] as const
  await deployer.send(pool, encodeFunctionData({ abi: poolAbi, functionName: 'deposit', args }))
}

type FirstDeposit = { readonly value: bigint; readonly sides: readonly TokenAmount[] }

/** Reads what the first deposit of a value takes: the base token, then the quote token. */
async function readDeposit({ client }: Deployer, pool: Address, value: bigint): Promise<readonly TokenAmount[]> {
  const read = { address: pool, abi: poolAbi } as const
  const [, amounts] = await client.readContract({ ...read, functionName: 'viewDeposit', args: [value] })
  const toSide = async (amount: bigint, index: number) => {
    const side = { ...read, functionName: 'numeraires', args: [BigInt(index)] } as const
    return { token: await client.readContract(side), amount }
  }
  return await Promise.all(amounts.map(toSide))
}

type TokenAmount = { readonly token: Address; readonly amount: bigint }

import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData, parseUnits } from 'viem'
import type { Deployer } from './createDeployer.ts'

const claim = parseUnits('1000', 6)
const supply = parseUnits('10000000', 6)
const cooldownSeconds = 86_400n

/** Deploys the faucet and fills it, with enough for ten thousand claims. */
export async function deployFaucet(deployer: Deployer, tokens: readonly Address[]): Promise<Address> {
  const faucet = await deployer.deploy('Faucet', [tokens, tokens.map(() => claim), cooldownSeconds])
  const mint = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [faucet, supply] })
  for (const token of tokens) await deployer.send(token, mint)
  return faucet
}

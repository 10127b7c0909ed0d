import { exactOutRouterAbi, faucetAbi, permitRouterAbi, poolAbi, routerAbi, tokenAbi } from '@agio/chain/abi'
import type { DeployedChain } from '../chain/LocalChain.ts'
import { oracleAbi } from '../price/keeper.ts'

/** The ABIs of the contracts, with their errors. */
export const abis = {
  faucet: faucetAbi,
  oracle: oracleAbi,
  pool: poolAbi,
  router: [...routerAbi, ...exactOutRouterAbi, ...permitRouterAbi],
  token: tokenAbi,
} as const

/** The contracts of Agio on a network of Hardhat, by name, and their ABIs. */
export type AgioConnection = DeployedChain & { readonly abis: typeof abis }

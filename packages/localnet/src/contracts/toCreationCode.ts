import { encodeDeployData, type Abi, type Hex } from 'viem'
import artifacts from './artifacts.json' with { type: 'json' }

/** The contracts that a local stack or a test network has. */
export type ContractName = keyof typeof artifacts

/** Returns the creation code of a contract, followed by its encoded constructor arguments. */
export function toCreationCode(contract: ContractName, args: readonly unknown[]): Hex {
  const { abi, bytecode } = artifacts[contract]
  return encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args })
}

import type { TypedData } from '@agio/chain'
import { Wallet } from 'ethers'
import type { Hex } from 'viem'

/** Signs data by ethers, which derives the type of the domain itself. */
export async function signByEthers(key: Hex, { domain, types, message }: TypedData): Promise<string> {
  const { EIP712Domain: _, ...others } = types
  const mutable = Object.fromEntries(Object.entries(others).map(([name, fields]) => [name, [...fields]]))
  return await new Wallet(key).signTypedData(domain, mutable, message)
}

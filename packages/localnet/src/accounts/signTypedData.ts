import { isObject, Network } from '@agio/core'
import type { Hex, TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { getLocalAccount } from './localAccounts.ts'

/**
 * Signs typed data (EIP-712) with a well-known account, as `eth_signTypedData_v4` does, without a node.
 *
 * @throws `Error` if the account does not exist, or if the domain's chain is not a local chain
 */
export async function signTypedData(typedData: TypedDataDefinition, accountIndex: number): Promise<Hex> {
  const { chainId } = typedData.domain ?? {}
  if (chainId !== undefined && !Network.isChainId(Number(chainId))) {
    throw new Error(`Cannot sign: chain ${chainId} is not a local chain`)
  }
  return await privateKeyToAccount(getLocalAccount(accountIndex).privateKey).signTypedData(typedData)
}

/**
 * Finds the typed data in a response of the service: in the first step of a plan, or the input itself.
 *
 * @returns undefined if the response has no typed data
 */
export function findTypedData(response: unknown): TypedDataDefinition | undefined {
  const typedData = findFirstStep(response) ?? response
  const found = isObject(typedData) && 'typedData' in typedData ? typedData.typedData : typedData
  return isObject(found) && 'primaryType' in found && 'types' in found
    ? (found as unknown as TypedDataDefinition)
    : undefined
}

/**
 * Returns the first step of a plan. The plan is the body of a response or its `data`. Returns undefined for anything
 * else.
 */
export function findFirstStep(response: unknown): unknown {
  const plan = isObject(response) && isObject(response['data']) ? response['data'] : response
  return isObject(plan) && Array.isArray(plan['steps']) ? plan['steps'][0] : undefined
}

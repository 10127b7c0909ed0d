import type { Address } from '@agio/core'
import { concat, getContractAddress, keccak256, toHex, type Hex } from 'viem'
import { connectLocalNode, type Provider } from '../chain/Provider.ts'
import type { Deployer } from './createDeployer.ts'

/**
 * The deterministic deployment proxy, which most networks have at this address. It takes the first 32 bytes of its
 * calldata as the salt, and deploys the rest with CREATE2.
 *
 * @see https://github.com/Arachnid/deterministic-deployment-proxy
 */
export const deploymentProxy = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const deploymentProxyCode =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

/** A creation code with its constructor arguments, and the salt of its address. */
export type Create2 = { readonly salt: Hex; readonly code: Hex }

/** Returns the salt of a contract: the hash of a readable text, such as `agio.Factory.1`. */
export function toSalt(text: string): Hex {
  return keccak256(toHex(text))
}

/** Returns the address at which the deployment proxy deploys a creation code, on every network. */
export function toCreate2Address({ salt, code }: Create2): Address {
  return getContractAddress({ opcode: 'CREATE2', from: deploymentProxy, salt, bytecode: code })
}

/**
 * Deploys a creation code through the deployment proxy. Sends no transaction if its address has code: only this creation
 * code can have deployed it there.
 *
 * @returns the address
 * @throws `Error` if the transaction reverts
 */
export async function deployByCreate2(deployer: Deployer, create2: Create2): Promise<Address> {
  const address = toCreate2Address(create2)
  if (!(await deployer.client.getCode({ address })))
    await deployer.send(deploymentProxy, concat([create2.salt, create2.code]))
  return address
}

/** Gives a local node the deployment proxy if it is missing. */
export async function placeDeploymentProxy(provider: Provider): Promise<void> {
  const client = connectLocalNode(provider)
  if (await client.getCode({ address: deploymentProxy })) return
  await client.setCode({ address: deploymentProxy, bytecode: deploymentProxyCode })
}

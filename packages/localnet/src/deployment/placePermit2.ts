import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { concat, createTestClient, getContractAddress, http, publicActions, type Address, type Hex } from 'viem'
import type { LocalNode } from '../node/startNode.ts'
import { projectRoot } from '../project/projectRoot.ts'
import { createDeployer } from './createDeployer.ts'

// A contract that uses the first 32 bytes of its calldata as salt, and deploys the rest with CREATE2.
const create2Deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const create2DeployerCode =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

const salt = '0x0000000000000000000000000000000000000000d3af2663da51c10215000000'

/**
 * Deploys Uniswap's Permit2 at the address that it has on all networks. Uses Permit2's own deployment transaction, so
 * that its code has the domain separator of this chain. Does nothing if the address has code, as on most forks.
 *
 * Call it after all other deployments of the first account. The first account sends the transaction, which changes its nonce
 * and so the addresses of its later contracts.
 */
export async function placePermit2({ viem, rpcUrl }: LocalNode): Promise<void> {
  const client = createTestClient({ mode: 'hardhat', transport: http(rpcUrl) }).extend(publicActions)
  const code = await readPermit2Code()
  if (await client.getCode({ address: toPermit2Address(code) })) return
  if (!(await client.getCode({ address: create2Deployer }))) {
    await client.setCode({ address: create2Deployer, bytecode: create2DeployerCode })
  }
  const deployer = await createDeployer(viem)
  await deployer.send(create2Deployer, concat([salt, code]))
}

/** Reads the creation code of Permit2. The folder of the file also documents its origin. */
export async function readPermit2Code(): Promise<Hex> {
  return (await readFile(join(projectRoot, 'contracts/testing/permit2/creation.hex'), 'utf8')).trim() as Hex
}

/** Returns the address at which a creation code is deployed. */
export function toPermit2Address(code: Hex): Address {
  return getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode: code })
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import { getAddress, parseAbi, toFunctionSelector, toHex, type Hex } from 'viem'
import { connectOwner } from '../harness/connectOwner.ts'
import { writeContract } from '../harness/writeContract.ts'

const abi = parseAbi(['function refuse(bytes4 selector, bytes data)', 'function allow(bytes4 selector)'])

/** Removes a contract's code hash from the deployment file: a service that starts later serves it with any code. */
export async function removeCodeHash({ deploymentsDir }: Localnet, { deployment }: LocalChain, address: Address) {
  const codeHashes = Object.entries(deployment.codeHashes ?? {}).filter(([listed]) => listed !== address)
  const path = join(deploymentsDir, `${deployment.chainId}.json`)
  await writeFile(path, JSON.stringify({ ...deployment, codeHashes: Object.fromEntries(codeHashes) }))
}

/** Replaces a contract by one that reverts chosen functions and otherwise runs the original code. */
export async function placeRefuser(chain: Parameters<typeof connectOwner>[0], address: Address): Promise<Refuser> {
  const owner = connectOwner(chain)
  const moved = getAddress(toHex(crypto.getRandomValues(new Uint8Array(20))))
  await owner.client.setCode({ address: moved, bytecode: (await owner.client.getCode({ address })) ?? '0x' })
  const refuser = await owner.deploy('testing/Refuser', [moved])
  await owner.client.setCode({ address, bytecode: (await owner.client.getCode({ address: refuser })) ?? '0x' })
  return {
    refuse: (signature, data) =>
      writeContract(owner.client, {
        address,
        abi,
        functionName: 'refuse',
        args: [toFunctionSelector(signature), data],
      }),
    allow: (signature) =>
      writeContract(owner.client, { address, abi, functionName: 'allow', args: [toFunctionSelector(signature)] }),
  }
}

export type Refuser = {
  /**
   * Makes a function revert, by its signature, from the next block on.
   *
   * @param data the revert data
   */
  refuse(signature: string, data: Hex): Promise<unknown>
  /** Restores a function. */
  allow(signature: string): Promise<unknown>
}

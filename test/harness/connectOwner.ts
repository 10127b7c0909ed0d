import { readFile } from 'node:fs/promises'
import type { Address } from '@agio/core'
import { localAccounts, type LocalChain } from '@agio/localnet'
import { createTestClient, getAddress, http, publicActions, walletActions, type Abi, type Hex } from 'viem'
import { waitForSuccess } from './writeContract.ts'

/** A client of the account that owns every contract on a local chain, which changes the chain without the service. */
export function connectOwner({ rpcUrl }: Pick<LocalChain, 'rpcUrl'>) {
  const account = localAccounts[0].address
  const client = createTestClient({ mode: 'hardhat', account, transport: http(rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)

  return {
    address: account,
    /** For reads, and for the methods of test nodes. */
    client,
    /** Deploys a contract of ours, named by its path without `.sol`. */
    async deploy(contract: string, args: readonly unknown[]): Promise<Address> {
      const { abi, bytecode } = await readArtifact(contract)
      const hash = await client.deployContract({ abi, bytecode, args, chain: null })
      const { contractAddress } = await waitForSuccess(client, hash)
      return getAddress(String(contractAddress))
    },
  }
}

export type Owner = ReturnType<typeof connectOwner>

type Artifact = { readonly abi: Abi; readonly bytecode: Hex }

async function readArtifact(contract: string): Promise<Artifact> {
  const path = `../../artifacts/contracts/${contract}.sol/${contract.split('/').at(-1)}.json`
  return JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')) as Artifact
}

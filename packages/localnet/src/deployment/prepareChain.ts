import type { ChainId } from '@agio/core'
import { createPublicClient, createTestClient, http, parseEther, publicActions } from 'viem'
import type { LocalChain } from '../chain/LocalChain.ts'
import type { LocalNode } from '../node/startNode.ts'
import { oracleAbi } from '../price/oracleAbi.ts'
import { pushPrices } from '../price/pushPrices.ts'
import { findDeployment, writeDeployment } from './deploymentFile.ts'
import { deployStack } from './deployStack.ts'
import { readLocalChain } from './readLocalChain.ts'

/** Deploys the contracts to a node, or finds the known deployment of a fork, and writes the deployment file. */
export async function prepareChain(node: LocalNode, settings: prepareChain.Settings): Promise<LocalChain> {
  const chain = (await findKnownChain(node, settings)) ?? (await deploy(node, settings))
  await writeDeployment(settings.deploymentsDir, chain.deployment)
  return chain
}

export declare namespace prepareChain {
  type Settings = {
    readonly forks: Readonly<Partial<Record<ChainId, string>>>
    readonly deploymentsDir: string
    readonly knownDeploymentsDir: string
    readonly onProgress: (message: string) => void
  }
}

async function findKnownChain(node: LocalNode, settings: prepareChain.Settings): Promise<LocalChain | undefined> {
  const { chainId, rpcUrl } = node
  if (settings.forks[chainId] === undefined) return undefined
  const known = await findDeployment(settings.knownDeploymentsDir, chainId)
  if (!known) return undefined
  const code = await createPublicClient({ transport: http(rpcUrl) }).getCode({ address: known.router })
  if (!code) return undefined
  settings.onProgress(`Using the deployment of chain ${chainId}: router ${known.router}`)
  const chain = await readLocalChain(rpcUrl, known)
  await impersonateOracleOwners(chain)
  await pushPrices(chain)
  return chain
}

/** Makes the node of a fork sign for the owners of its oracles, whose keys are unknown, and funds them for gas. */
async function impersonateOracleOwners({ rpcUrl, oracles }: LocalChain): Promise<void> {
  const client = createTestClient({ mode: 'hardhat', transport: http(rpcUrl) }).extend(publicActions)
  for (const address of Object.values(oracles)) {
    const owner = await client.readContract({ address, abi: oracleAbi, functionName: 'owner' })
    await client.impersonateAccount({ address: owner })
    await client.setBalance({ address: owner, value: parseEther('10000') })
  }
}

async function deploy({ viem, rpcUrl }: LocalNode, { onProgress }: prepareChain.Settings): Promise<LocalChain> {
  return await readLocalChain(rpcUrl, await deployStack(viem, { onProgress }))
}

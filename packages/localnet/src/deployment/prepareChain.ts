import type { ChainId } from '@agio/core'
import { createPublicClient, http } from 'viem'
import type { LocalChain } from '../LocalChain.ts'
import type { LocalNode } from '../node/startNode.ts'
import { adoptOracles } from '../price/adoptOracles.ts'
import { pushPrices } from '../price/pushPrices.ts'
import { deployStack } from './deployStack.ts'
import { findDeployment } from './findDeployment.ts'
import { readLocalChain } from './readLocalChain.ts'
import { writeDeployment } from './writeDeployment.ts'

/** Puts a deployment on a node, the known one of the forked chain if it is there, and writes its file. */
export async function prepareChain(node: LocalNode, settings: prepareChain.Settings): Promise<LocalChain> {
  const chain = (await adoptDeployment(node, settings)) ?? (await deploy(node, settings))
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

async function adoptDeployment(node: LocalNode, settings: prepareChain.Settings): Promise<LocalChain | undefined> {
  const { chainId, rpcUrl } = node
  if (settings.forks[chainId] === undefined) return undefined
  const known = await findDeployment(settings.knownDeploymentsDir, chainId)
  if (!known) return undefined
  const code = await createPublicClient({ transport: http(rpcUrl) }).getCode({ address: known.router })
  if (!code) return undefined
  settings.onProgress(`Using the deployment of chain ${chainId}: router ${known.router}`)
  const chain = await readLocalChain(rpcUrl, known)
  await adoptOracles(chain)
  await pushPrices(chain)
  return chain
}

async function deploy({ viem, rpcUrl }: LocalNode, { onProgress }: prepareChain.Settings): Promise<LocalChain> {
  return await readLocalChain(rpcUrl, await deployStack(viem, { onProgress }))
}

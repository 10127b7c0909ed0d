import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDeployment, type Deployment } from '@agio/chain'
import { Network } from '@agio/core'

/** The deployment of each network that has a deployment file. */
export type Deployments = Readonly<Partial<Record<Network.ChainId, Deployment>>>

/**
 * Returns the deployments in a folder of `<chainId>.json` files, by chain id.
 *
 * @throws `Error` with the command to run if no network has a file, or with the file's name if it is not a deployment
 * of its network
 */
export async function readDeployments(folder: string): Promise<Deployments> {
  const found = await Promise.all(Network.chainIds.map((chainId) => findDeployment(folder, chainId)))
  const deployments = found.filter((deployment) => deployment !== undefined)
  if (deployments.length > 0)
    return Object.fromEntries(deployments.map((deployment) => [deployment.chainId, deployment]))
  const files = Network.chainIds.map((chainId) => `${chainId}.json`).join(' or ')
  throw new Error(`Cannot serve any network: ${folder} has no ${files}. ${howToDeploy}`)
}

const howToDeploy = `To serve local chains, run "npx -y pnpm@12 localnet" and set DEPLOYMENTS_DIR=.local/deployments; \
to serve a live network, deploy to it with "npx -y pnpm@12 contracts:deploy --network <name>"`

async function findDeployment(folder: string, chainId: Network.ChainId): Promise<Deployment | undefined> {
  const file = join(folder, `${chainId}.json`)
  const text = await findText(file)
  if (text === undefined) return undefined
  const deployment = parseDeployment(parseJson(text, file), file)
  if (deployment.chainId === chainId) return deployment
  throw new Error(`Cannot use deployment ${file}: it is for chain ${deployment.chainId}`)
}

async function findText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`Cannot read deployment ${file}: the file is not readable`, { cause })
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`Cannot read deployment ${file}: it is not JSON`, { cause })
  }
}

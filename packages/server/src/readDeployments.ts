import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDeployment, type Deployment } from '@agio/chain'
import { chainIds, type ChainId } from '@agio/core'

/** Reads the deployment file of every network. @throws `Error` that names the file and what is wrong with it */
export async function readDeployments(folder: string): Promise<Readonly<Record<ChainId, Deployment>>> {
  const deployments = await Promise.all(chainIds.map((chainId) => readDeployment(folder, chainId)))
  return Object.fromEntries(deployments.map((deployment) => [deployment.chainId, deployment])) as Record<
    ChainId,
    Deployment
  >
}

async function readDeployment(folder: string, chainId: ChainId): Promise<Deployment> {
  const file = join(folder, `${chainId}.json`)
  const deployment = parseDeployment(await readJson(file), file)
  if (deployment.chainId === chainId) return deployment
  throw new Error(`Cannot use deployment ${file}: it is for chain ${deployment.chainId}`)
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new Error(`Cannot read deployment ${file}: ${reasonOf(cause)}`, { cause })
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'it is not JSON'
  return (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : 'the file cannot be read'
}

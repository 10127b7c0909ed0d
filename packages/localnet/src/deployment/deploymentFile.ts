import { parseDeployment, type Deployment } from '@agio/chain'
import type { Network } from '@agio/core'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Reads the deployment file of a chain. Returns undefined if the file does not exist.
 *
 * @throws `Error` if the file is not a deployment
 */
export async function findDeployment(dir: string, chainId: Network.ChainId): Promise<Deployment | undefined> {
  const path = join(dir, `${chainId}.json`)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : parseDeployment(JSON.parse(text), path)
}

/** Writes a deployment file atomically, and returns its path. */
export async function writeDeployment(dir: string, deployment: Deployment): Promise<string> {
  await mkdir(dir, { recursive: true })
  const path = join(dir, `${deployment.chainId}.json`)
  const draft = `${path}.${process.pid}.tmp`
  await writeFile(draft, `${JSON.stringify(deployment, undefined, 2)}\n`)
  await rename(draft, path)
  return path
}

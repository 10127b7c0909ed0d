import { parseDeployment, type Deployment } from '@agio/chain'
import type { ChainId } from '@agio/core'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The deployment that a folder names for a chain, or undefined. @throws `Error` if its file is not a deployment */
export async function findDeployment(dir: string, chainId: ChainId): Promise<Deployment | undefined> {
  const path = join(dir, `${chainId}.json`)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : parseDeployment(JSON.parse(text), path)
}

import type { Deployment } from '@agio/chain'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a deployment file, whole or not at all, and gives back its path. */
export async function writeDeployment(dir: string, deployment: Deployment): Promise<string> {
  await mkdir(dir, { recursive: true })
  const path = join(dir, `${deployment.chainId}.json`)
  const draft = `${path}.${process.pid}.tmp`
  await writeFile(draft, `${JSON.stringify(deployment, undefined, 2)}\n`)
  await rename(draft, path)
  return path
}

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'

/** Adds a pool to the deployment file of a chain. */
export async function addPool({ chainId }: LocalChain, deploymentsDir: string, pool: Address): Promise<void> {
  const path = join(deploymentsDir, `${chainId}.json`)
  const deployment = JSON.parse(await readFile(path, 'utf8')) as LocalChain['deployment']
  await writeFile(path, JSON.stringify({ ...deployment, pools: [...deployment.pools, pool] }))
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Localnet } from '@agio/localnet'
import { connectOwner } from './connectOwner.ts'

/**
 * Deploys the reader on each chain, for nodes that reject state overrides.
 *
 * @returns a folder of deployment files that name the readers, removed together with those of the chains
 */
export async function deployReaders({ chains, deploymentsDir }: Localnet): Promise<string> {
  const folder = join(deploymentsDir, 'with-readers')
  await mkdir(folder)
  for (const chain of Object.values(chains)) {
    const file = `${chain.chainId}.json`
    const deployment = JSON.parse(await readFile(join(deploymentsDir, file), 'utf8')) as object
    const reader = await connectOwner(chain).deploy('Reader', [])
    await writeFile(join(folder, file), JSON.stringify({ ...deployment, reader }))
  }
  return folder
}

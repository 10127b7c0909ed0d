import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalnet, type Localnet } from '../src/localnet/startLocalnet.ts'

/** Starts both local chains on free ports, without keeping their deployment files. */
export async function startTestLocalnet(): Promise<Localnet> {
  const deploymentsDir = await mkdtemp(join(tmpdir(), 'agio-localnet-test-'))
  try {
    return await startLocalnet({ rpcPort: 0, deploymentsDir })
  } finally {
    await rm(deploymentsDir, { recursive: true })
  }
}

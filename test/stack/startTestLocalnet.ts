import { mapChains } from '@agio/core'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalnet, type Localnet } from '@agio/localnet'

/** Starts two local chains of a test's own, in a folder that is removed with them. */
export async function startTestLocalnet(
  options: Pick<startLocalnet.Options, 'blockIntervalMs' | 'forks' | 'knownDeploymentsDir' | 'onProgress'> = {},
): Promise<Localnet> {
  await using starting = new AsyncDisposableStack()
  const deploymentsDir = await mkdtemp(join(tmpdir(), 'agio-test-'))
  starting.defer(() => rm(deploymentsDir, { recursive: true }))
  const localnet = starting.use(await startLocalnet({ ...options, rpcPort: 0, deploymentsDir }))
  const running = starting.move()
  const stop = () => running.disposeAsync()
  return { ...localnet, stop, [Symbol.asyncDispose]: stop }
}

/** Starts forks of both chains with their deployments. Blocks are mined only with transactions. */
export async function startTestForks(
  { chains, deploymentsDir }: Localnet,
  onProgress?: (message: string) => void,
): Promise<Localnet> {
  const forks = mapChains((chainId) => chains[chainId].rpcUrl)
  return await startTestLocalnet({ blockIntervalMs: 3_600_000, forks, knownDeploymentsDir: deploymentsDir, onProgress })
}

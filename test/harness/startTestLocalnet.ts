import { mapChains } from '@agio/core'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalnet, type Localnet } from '@agio/localnet'
import { inject } from 'vitest'

/**
 * Starts two local chains of a test's own, in a folder that is removed with them, like the databases of the services over them.
 *
 * @param options.onDisk for services on Deno, which gives no permission for the files of a folder in memory
 */
export async function startTestLocalnet({ onDisk = false, ...options }: Options = {}): Promise<Localnet> {
  await using starting = new AsyncDisposableStack()
  const deploymentsDir = await mkdtemp(join(onDisk ? inject('diskFolder') : tmpdir(), 'agio-test-'))
  starting.defer(() => rm(deploymentsDir, { recursive: true }))
  const localnet = starting.use(await startLocalnet({ ...options, rpcPort: 0, deploymentsDir }))
  const running = starting.move()
  const stop = () => running.disposeAsync()
  return { ...localnet, stop, [Symbol.asyncDispose]: stop }
}

type Options = Pick<startLocalnet.Options, 'blockIntervalMs' | 'forks' | 'knownDeploymentsDir' | 'onProgress'> & {
  readonly onDisk?: boolean | undefined
}

/** Starts forks of both chains with their deployments. Blocks are mined only with transactions. */
export async function startTestForks(
  { chains, deploymentsDir }: Localnet,
  onProgress?: (message: string) => void,
): Promise<Localnet> {
  const forks = mapChains((chainId) => chains[chainId].rpcUrl)
  return await startTestLocalnet({ blockIntervalMs: 3_600_000, forks, knownDeploymentsDir: deploymentsDir, onProgress })
}

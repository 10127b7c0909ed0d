import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Network } from '@agio/core'
import { pushPrices, startLocalnet, type LocalChain, type Localnet } from '@agio/localnet'
import { inject } from 'vitest'
import { connectOwner } from './connectOwner.ts'

/**
 * Starts separate local chains for a test, in a folder that is removed with them, like the databases of the services over them.
 *
 * New chains are reused: a worker reverts the chains of an earlier test to the state after their deployment.
 *
 * @param options.onDisk for services on Deno, which gives no permission for the files of a folder in memory
 */
export async function startTestLocalnet({ onDisk = false, ...options }: Options = {}): Promise<Localnet> {
  await using starting = new AsyncDisposableStack()
  const deploymentsDir = await mkdtemp(join(onDisk ? inject('diskFolder') : tmpdir(), 'agio-test-'))
  starting.defer(() => rm(deploymentsDir, { recursive: true }))
  const { blockIntervalMs = 2000, ...others } = options
  const localnet = starting.use(
    await (Object.keys(others).length === 0
      ? takeChains(deploymentsDir, blockIntervalMs)
      : startLocalnet({ ...options, deploymentsDir, rpcPort: 0 })),
  )
  const running = starting.move()
  const stop = () => running.disposeAsync()
  return { ...localnet, deploymentsDir, stop, [Symbol.asyncDispose]: stop }
}

type Options = Pick<startLocalnet.Options, 'blockIntervalMs' | 'forks' | 'forkDeploymentsDir' | 'onProgress'> & {
  readonly onDisk?: boolean | undefined
}

/** Starts forks of all chains with their deployments. Blocks are mined only with transactions. */
export async function startTestForks(
  { chains, deploymentsDir }: Localnet,
  onProgress?: (message: string) => void,
): Promise<Localnet> {
  const forks = Network.map((chainId) => chains[chainId].rpcUrl)
  const options = { blockIntervalMs: 3_600_000, forks, forkDeploymentsDir: deploymentsDir }
  return await startTestLocalnet({ ...options, ...(onProgress && { onProgress }) })
}

/** Chains after their deployment that no test uses, with what returns them to that state. */
type IdleChains = { readonly localnet: Localnet; readonly restore: () => Promise<void> }

const idle: IdleChains[] = []

/** Takes chains that no test uses, or starts them. They are idle again once they are disposed of. */
async function takeChains(deploymentsDir: string, blockIntervalMs: number): Promise<Localnet> {
  const chains = idle.pop() ?? (await startIdleChains())
  const { localnet } = chains
  cpSync(localnet.deploymentsDir, deploymentsDir, { recursive: true })
  for (const chain of Object.values(localnet.chains)) {
    // The newest block is recent, as after a deployment.
    await pushPrices(chain)
    await connectOwner(chain).client.setIntervalMining({ interval: blockIntervalMs / 1000 })
  }
  const ends: (() => void)[] = []
  const keeper: Localnet['keeper'] = {
    ...localnet.keeper,
    async pause(chainId) {
      const end = await localnet.keeper.pause(chainId)
      ends.push(end)
      return end
    },
  }
  const stop = async () => {
    for (const end of ends) end()
    try {
      await chains.restore()
      idle.push(chains)
    } catch {
      // A test has used the snapshot up.
      await localnet.stop()
    }
  }
  return { ...localnet, keeper, blockIntervalMs, stop, [Symbol.asyncDispose]: stop }
}

async function startIdleChains(): Promise<IdleChains> {
  // They stop with the run, because a worker does not end by itself.
  const deploymentsDir = await mkdtemp(join(inject('runFolder'), 'chains-'))
  // A push of the keeper would be a block that no test expects. `takeChains` pushes new prices.
  const intervals = { blockIntervalMs: 3_600_000, keeperIntervalMs: 86_400_000 }
  const localnet = await startLocalnet({ deploymentsDir, ...intervals, rpcPort: 0 })
  const chains = Object.values(localnet.chains)
  const restores = await Promise.all(chains.map(takeChainSnapshot))
  return {
    localnet,
    async restore() {
      for (const chain of chains) await connectOwner(chain).client.setIntervalMining({ interval: 0 })
      await Promise.all(restores.map((restore) => restore()))
    },
  }
}

/** Takes a snapshot of a chain, and returns a function that returns to it, any number of times. */
export async function takeChainSnapshot(chain: LocalChain): Promise<() => Promise<void>> {
  const { client } = connectOwner(chain)
  const { timestamp } = await client.getBlock({ blockTag: 'pending' })
  const aheadSeconds = timestamp - readWallClock()
  let id = await client.snapshot()
  return async () => {
    await client.revert({ id })
    await client.setAutomine(true)
    id = await client.snapshot()
    // A node that reverts also sets its clock back.
    await client.setNextBlockTimestamp({ timestamp: readWallClock() + aheadSeconds })
    await client.mine({ blocks: 1 })
  }
}

/** Returns the time in seconds. */
function readWallClock(): bigint {
  return BigInt(Math.floor(Date.now() / 1000))
}

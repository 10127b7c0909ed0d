import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Network } from '@agio/core'
import { startLocalnet, type Localnet } from '@agio/localnet'
import { startServer } from '@agio/server'
import type { TestProject } from 'vitest/node'
import { connectOwner } from './connectOwner.ts'
import { createEmptyDatabase } from './createEmptyDatabase.ts'
import { compileContracts } from './compileContracts.ts'
import { createRunFolder } from './createRunFolder.ts'
import { getOtherChainId } from './networks.ts'
import { apiKey, settingsFor } from './settingsFor.ts'
import { startServerProcess } from './startServerProcess.ts'
import type { Target } from './Target.ts'
import { eventually } from './timeLimits.ts'

// Each block makes all services read all pools. The suite needs blocks with its own transactions, and a chain that continues.
const blockIntervalMs = 10_000

/**
 * Starts what the conformance suite runs against: the service on Node over the local chains, whose first chain gets the whole suite
 * and whose second chain gets the smoke pass. In the nightly run and the smoke tests instead the service on Deno and over forks of
 * those chains. The nightly run has the second chain on Node too.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await compileContracts()
  // Deno gives no permission for files below /dev.
  const folder = await mkdtemp(join(project.config.provide.diskFolder ?? tmpdir(), 'agio-test-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(folder, { recursive: true }))

  const emptyDatabase = join(stack.use(await createRunFolder(project)).path, 'empty')
  await createEmptyDatabase(emptyDatabase)
  project.provide('emptyDatabase', emptyDatabase)

  const localnet = stack.use(
    await startLocalnet({ rpcPort: 0, deploymentsDir: join(folder, 'local'), blockIntervalMs }),
  )
  // The base fee of a new chain falls for 150 blocks. It starts at its lowest value: on a busy machine, the service could otherwise
  // build a transaction with the fees of blocks that the SDK no longer compares.
  for (const chainId of Network.chainIds) {
    await connectOwner(localnet.chains[chainId]).client.setNextBlockBaseFeePerGas({ baseFeePerGas: 7n })
  }
  const { extent } = project.config.provide
  const isOfOthers = extent === 'nightly' || extent === 'smoke'
  const start = async (name: string, over: Localnet): Promise<Target> => {
    const settings = settingsFor(over, {}, emptyDatabase)
    // A fork fetches each part of the state when it is first read, so that its calls may take long.
    const { url, stop } = await (name === 'Deno'
      ? startServerProcess(settings, name)
      : startServer(settings, { nodeTimeoutMs: eventually.timeout }))
    stack.defer(stop)
    return { name, chainId: Network.defaultChainId, url, apiKey, chains: over.chains }
  }
  const startForks = async () =>
    stack.use(
      await startLocalnet({
        rpcPort: 0,
        deploymentsDir: join(folder, 'fork'),
        blockIntervalMs,
        forks: Network.map((chainId) => localnet.chains[chainId].rpcUrl),
        forkDeploymentsDir: join(folder, 'local'),
      }),
    )
  const node = extent === 'smoke' ? [] : [await start('Node', localnet)]
  const deno = isOfOthers ? [await start('Deno', localnet)] : []
  const forks = isOfOthers ? [await start('Node over forks', await startForks())] : []
  const ofSecondChain = node.map((target) => ({ ...target, chainId: getOtherChainId(Network.defaultChainId) }))
  const runtimes = isOfOthers ? deno : node
  const targets = isOfOthers ? [...deno, ...forks, ...ofSecondChain] : node
  project.provide('runtimes', runtimes as [Target])
  project.provide('targets', targets as [Target])
  project.provide('smokeTargets', isOfOthers ? targets : ofSecondChain)
  const running = stack.move()
  return () => running.disposeAsync()
}

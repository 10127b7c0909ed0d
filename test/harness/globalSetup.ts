import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Network } from '@agio/core'
import { startLocalnet, type Localnet } from '@agio/localnet'
import { startServer, type RunningServer } from '@agio/server'
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
  const node = extent === 'smoke' ? [] : [await startOnNode(localnet, emptyDatabase, stack)]
  const deno = isOfOthers ? [await startOnDeno(localnet, emptyDatabase, stack)] : []
  const forks = isOfOthers ? [await startOverForks(localnet, { folder, emptyDatabase, stack })] : []
  const ofSecondChain = node.map((target) => ({ ...target, chainId: getOtherChainId(Network.defaultChainId) }))
  const runtimes = isOfOthers ? deno : node
  const targets = isOfOthers ? [...deno, ...forks, ...ofSecondChain] : node
  project.provide('runtimes', runtimes as [Target])
  project.provide('targets', targets as [Target])
  project.provide('smokeTargets', isOfOthers ? targets : ofSecondChain)
  const running = stack.move()
  return () => running.disposeAsync()
}

async function startOnNode(localnet: Localnet, emptyDatabase: string, stack: AsyncDisposableStack): Promise<Target> {
  const node = await serve(localnet, emptyDatabase)
  stack.defer(() => node.stop())
  return toTarget('Node', node.url, localnet)
}

async function startOnDeno(localnet: Localnet, emptyDatabase: string, stack: AsyncDisposableStack): Promise<Target> {
  const deno = await startServerProcess(settingsFor(localnet, {}, emptyDatabase), 'Deno')
  stack.defer(() => deno.stop())
  return toTarget('Deno', deno.url, localnet)
}

async function startOverForks(
  localnet: Localnet,
  { folder, emptyDatabase, stack }: { folder: string; emptyDatabase: string; stack: AsyncDisposableStack },
): Promise<Target> {
  const forked = stack.use(
    await startLocalnet({
      rpcPort: 0,
      deploymentsDir: join(folder, 'fork'),
      blockIntervalMs,
      forks: Network.map((chainId) => localnet.chains[chainId].rpcUrl),
      forkDeploymentsDir: join(folder, 'local'),
    }),
  )
  const fork = await serve(forked, emptyDatabase)
  stack.defer(() => fork.stop())
  return toTarget('Node over forks', fork.url, forked)
}

/** Starts a service. A fork fetches each part of the state when it is first read, so that its calls may take long. */
async function serve(localnet: Localnet, emptyDatabase: string): Promise<RunningServer> {
  return await startServer(settingsFor(localnet, {}, emptyDatabase), { nodeTimeoutMs: eventually.timeout })
}

function toTarget(name: string, url: string, { chains }: Localnet): Target {
  return { name, chainId: Network.defaultChainId, url, apiKey, chains }
}

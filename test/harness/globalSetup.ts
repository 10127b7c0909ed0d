import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mapChains } from '@agio/core'
import { startLocalnet, type Localnet } from '@agio/localnet'
import { startServer } from '@agio/server'
import type { TestProject } from 'vitest/node'
import { createLibraryHandler } from './createLibraryHandler.ts'
import { createEmptyDatabase } from './createEmptyDatabase.ts'
import { apiKey, settingsFor } from './settingsFor.ts'
import { startServerProcess } from './startServerProcess.ts'
import type { Target } from './Target.ts'

// Each block makes all services read all pools. The suite needs blocks of its own transactions, and a chain that goes on.
const blockIntervalMs = 10_000

/**
 * Starts what the contract suite runs against: the service on Node and on Deno over two local chains, and through trpc-to-openapi's
 * own handler; in the exhaustive tests over forks of those chains, too. For a quick run, for the trials of minutes and for the
 * packed package, the service on Node alone.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Deno gives no permission for files below /dev.
  const folder = await mkdtemp(join(project.config.provide.diskFolder ?? tmpdir(), 'agio-test-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(folder, { recursive: true }))

  const emptyDatabase = join(folder, 'empty')
  await createEmptyDatabase(emptyDatabase)
  project.provide('emptyDatabase', emptyDatabase)

  const localnet = stack.use(
    await startLocalnet({ rpcPort: 0, deploymentsDir: join(folder, 'local'), blockIntervalMs }),
  )
  const node = await startServer(settingsFor(localnet, {}, emptyDatabase))
  stack.defer(() => node.stop())
  const targets = [toTarget('Node', node.url, localnet)]
  const { extent = 'integration' } = project.config.provide
  if (extent === 'integration' || extent === 'exhaustive') {
    targets.push(...(await startOthers(localnet, emptyDatabase, stack)))
  }
  if (extent === 'exhaustive') targets.push(await startOverForks(localnet, { folder, emptyDatabase, stack }))
  project.provide('targets', targets)
  const running = stack.move()
  return () => running.disposeAsync()
}

/** Starts the service on Deno, and through trpc-to-openapi's own handler. */
async function startOthers(
  localnet: Localnet,
  emptyDatabase: string,
  stack: AsyncDisposableStack,
): Promise<readonly Target[]> {
  const library = await startServer(settingsFor(localnet, {}, emptyDatabase), { callRest: createLibraryHandler() })
  stack.defer(() => library.stop())
  const deno = await startServerProcess(settingsFor(localnet, {}, emptyDatabase), 'Deno')
  stack.defer(() => deno.stop())
  return [toTarget('Deno', deno.url, localnet), toTarget('Node, through trpc-to-openapi', library.url, localnet)]
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
      forks: mapChains((chainId) => localnet.chains[chainId].rpcUrl),
      knownDeploymentsDir: join(folder, 'local'),
    }),
  )
  const fork = await startServer(settingsFor(forked, {}, emptyDatabase))
  stack.defer(() => fork.stop())
  return { ...toTarget('Node over forks', fork.url, forked), isOverForks: true }
}

function toTarget(name: string, url: string, { chains }: Localnet): Target {
  return { name, url, apiKey, chains, isOverForks: false }
}

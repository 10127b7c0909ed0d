import { startLocalService, type LocalService, type ScenarioName } from '@agio/localnet'
import { assets } from '@agio/server'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { toConsoleChains, type ConsoleStack } from './ConsoleStack.ts'

// Above the limit of the service for one attempt.
const tooSlowMs = 5000

/** Starts chains and a service of a test's own, to change them or to stop the service. The console is built already. */
export async function startConsoleStack(): Promise<OwnConsoleStack> {
  await using starting = new AsyncDisposableStack()
  const localnet = starting.use(await startTestLocalnet())
  const port = await findFreePort()
  const folder = await mkdtemp(join(tmpdir(), 'agio-console-'))
  starting.defer(() => rm(folder, { recursive: true }))
  const [dataDir, backupDir] = [join(folder, 'data'), join(folder, 'backups')]
  const startService = () =>
    startLocalService(localnet, {
      port,
      dataDir,
      backupDir,
      consoleDir: assets.console,
      logLevel: 'silent',
      finalityBlocks: 5,
    })
  let service = await startService()
  starting.defer(() => service.stop())
  const running = starting.move()
  return {
    url: service.url,
    chains: toConsoleChains(localnet),
    get scenarios() {
      return service.scenarios
    },
    run: (name, options = name === 'rpc-slow' ? { ms: tooSlowMs } : {}) =>
      service.scenarios.run(name as 'stale-price', options),
    stopService: () => service.stop(),
    async restartService() {
      service = await startService()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type OwnConsoleStack = AsyncDisposable &
  ConsoleStack &
  Pick<LocalService, 'scenarios'> & {
    /** Runs a scenario on the default network, unless the options name another. */
    run(name: ScenarioName, options?: object): Promise<unknown>
    /** Stops the service. Its chains go on. */
    stopService(): Promise<void>
    /** Starts the service at the same address again, with its database, without the counts of its limits. */
    restartService(): Promise<void>
  }

import { startLocalService, type ScenarioName } from '@agio/localnet'
import { assets } from '@agio/server'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { toConsoleChains } from './ConsoleStack.ts'

// Above the limit of the service for one attempt.
const tooSlowMs = 5000

/** Starts chains and a service of a test's own, to change them or to stop the service. The console is built already. */
export async function startConsoleStack() {
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
    reset: () => service.scenarios.reset(),
    listChains: () => service.scenarios.listChains(),
    /** Runs a scenario on the default network, unless the options name another. */
    run: (name: ScenarioName, options: object = name === 'rpc-slow' ? { ms: tooSlowMs } : {}) =>
      service.scenarios.run(name as 'stale-price', options),
    /** Stops the service. Its chains go on. */
    stopService: () => service.stop(),
    /** Starts the service at the same address again, with its database, without the counts of its limits. */
    async restartService() {
      service = await startService()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

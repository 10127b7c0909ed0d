import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import { createLog } from './createLog.ts'
import { stopOnSignal } from './cli/stopOnSignal.ts'
import { nodeOutput } from './output/nodeOutput.ts'
import { formatConsole, formatNetworks, toStopLimitMs } from './serving/serving.ts'
import type { Settings } from './Settings.ts'
import { choosePorts } from './workers/choosePorts.ts'
import type { SupervisorMessage, WorkerMessage } from './workers/WorkerMessage.ts'

// A worker that ends sooner would end again at once.
const briefLifeMs = 10_000
const restartDelayMs = 1000

/**
 * Serves by several processes that share the port, PostgreSQL and Redis, and starts another for each that ends. Prints what a single
 * process prints.
 *
 * @throws `Error` if a port is taken, or if a worker ends before it has served
 */
export async function superviseWorkers(settings: Settings): Promise<void> {
  const { workers: count = 1, consoleDir, logLevel } = settings
  const ports = await choosePorts(settings)
  const { log, print, end } = createLog(logLevel, nodeOutput)
  const aggregated = new AggregatorRegistry()
  let isStopping = false

  async function start(): Promise<Ready> {
    const worker = cluster.fork(ports)
    const startedMs = performance.now()
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'metrics') void sendMetrics(worker, message.id)
    })
    worker.once('exit', (code, signal) => {
      if (isStopping || !isServing) return
      log.error({ pid: worker.process.pid, code, signal }, 'worker has ended: another one is started')
      void restart(performance.now() - startedMs)
    })
    return await untilReady(worker)
  }
  async function restart(livedMs: number): Promise<void> {
    if (livedMs < briefLifeMs) await wait(restartDelayMs)
    // A failure to start is an exit, which is logged and repeated.
    if (!isStopping) await start().catch(() => {})
  }
  async function sendMetrics(worker: Worker, id: number): Promise<void> {
    const text = await aggregated.clusterMetrics().catch(() => undefined)
    tell(worker, { kind: 'metrics', id, text })
  }
  async function stop(): Promise<void> {
    isStopping = true
    const workers = listWorkers()
    const ended = workers.map((worker) => once(worker, 'exit'))
    for (const worker of workers) tell(worker, { kind: 'stop' })
    await Promise.all(ended)
    await end()
  }

  let isServing = false
  const signal = stopOnSignal(stop, toStopLimitMs(settings) + 1000)
  const started = await Promise.all(Array.from({ length: count }, start)).catch(async (error: unknown) => {
    // A worker has printed why.
    await stop()
    throw error
  })
  isServing = true
  const [first] = started
  if (!first || signal.aborted) return
  print(formatNetworks(first.chainIds))
  const consoleLine = formatConsole(first.url, consoleDir)
  if (consoleLine !== undefined) print(consoleLine)
  const { readiness } = started.find((worker) => worker.readiness !== 'ready') ?? first
  print(`${readiness} on ${first.url}`)
  log.info({ workers: listWorkers().map(({ process: { pid } }) => pid) }, 'serving by several processes')
}

type Ready = Extract<WorkerMessage, { readonly kind: 'ready' }>

/** Waits until a worker serves. @throws `Error` if it ends before */
async function untilReady(worker: Worker): Promise<Ready> {
  return await new Promise((resolve, reject) => {
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') resolve(message)
    })
    worker.once('exit', () => reject(new Error('Cannot start: a worker has ended before it served')))
  })
}

function tell(worker: Worker, message: SupervisorMessage): void {
  if (worker.isConnected()) worker.send(message)
}

function listWorkers(): readonly Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

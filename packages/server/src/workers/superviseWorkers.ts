import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { createLog } from '../log/createLog.ts'
import { stopOnSignal } from '../cli/command.ts'
import { nodeOutput } from '../log/nodeOutput.ts'
import { formatConsole, formatNetworks, formatOperators, toStopLimitMs } from '../serving/serving.ts'
import type { Settings } from '../settings/Settings.ts'
import { choosePorts } from './choosePorts.ts'
import { createMetricsCollector } from './createMetricsCollector.ts'
import { killIfHung } from './heartbeat.ts'
import { serveMetrics } from './serveMetrics.ts'
import { postMessage } from './WorkerMessage.ts'
import type { WorkerMessage } from './WorkerMessage.ts'

// A worker that ends sooner is replaced after a delay, because the replacement would probably end at once too.
const shortLifetimeMs = 10_000
const restartDelayMs = 1000
// How long a worker that does not serve yet may take to end.
const startingEndMs = 2000

/**
 * Serves by several processes that share the port, PostgreSQL and Redis. Replaces each process that ends or
 * hangs. Serves the metrics of all on `METRICS_PORT`. Prints the same lines as a single process.
 *
 * @param fork starts a process that runs `runWorker` with these settings. Their ports are free
 * @throws `Error` if a port is taken, or if a worker ends before it serves
 */
export async function superviseWorkers(settings: Settings, fork: (settings: Settings) => ChildProcess): Promise<void> {
  const { workers: count, consoleDir, logLevel, metricsPort } = settings
  const workerSettings = { ...settings, ...(await choosePorts(settings)), metricsPort: undefined }
  const { log, print, end } = createLog(logLevel, nodeOutput)
  const workers = new Set<ChildProcess>()
  const serving = new Set<ChildProcess>()
  const metrics = createMetricsCollector(() => [...serving])
  if (metricsPort !== undefined) await serveMetrics(metrics.collect, { ...settings, port: metricsPort })
  let isStopping = false
  let isServing = false

  async function start(): Promise<Ready> {
    const worker = fork(workerSettings)
    const startedMs = performance.now()
    workers.add(worker)
    killIfHung(worker, () => log.error({ pid: worker.pid }, 'worker does not respond: killing it'))
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'metrics') void sendMetrics(worker, message.id)
      if (message.kind === 'collected') metrics.receive(message)
    })
    worker.once('exit', (code, signal) => {
      workers.delete(worker)
      serving.delete(worker)
      if (isStopping || !isServing) return
      log.error({ pid: worker.pid, code, signal }, 'worker ended: starting a replacement')
      void restart(performance.now() - startedMs)
    })
    const ready = await untilReady(worker)
    serving.add(worker)
    return ready
  }
  async function restart(lifetimeMs: number): Promise<void> {
    if (lifetimeMs < shortLifetimeMs) await wait(restartDelayMs)
    // A failed start is an exit: it is logged, and another worker is started.
    if (!isStopping) await start().catch(() => {})
  }
  async function sendMetrics(worker: ChildProcess, id: number): Promise<void> {
    postMessage(worker, { kind: 'metrics', id, text: await metrics.collect() })
  }
  async function stop(): Promise<void> {
    isStopping = true
    const ended = Array.from(workers, (worker) => once(worker, 'exit'))
    for (const worker of workers) {
      if (serving.has(worker)) postMessage(worker, { kind: 'stop' })
      else endStarting(worker)
    }
    await Promise.all(ended)
    await end()
  }

  const signal = stopOnSignal(stop, toStopLimitMs(settings) + 1000)
  const started = await Promise.all(Array.from({ length: count }, start)).catch(async (error: unknown) => {
    // A signal has ended the workers, and ends this process.
    if (signal.aborted) return []
    // The worker has printed the reason.
    await stop()
    throw error
  })
  isServing = true
  const [first] = started
  if (!first || signal.aborted) return
  print(formatNetworks(first.chainIds))
  const consoleLine = formatConsole(first.url, consoleDir)
  if (consoleLine !== undefined) print(consoleLine)
  if (first.adminUrl !== undefined) print(formatOperators(first.adminUrl))
  const { readiness } = started.find((worker) => worker.readiness !== 'ready') ?? first
  print(`${readiness} on ${first.url}`)
  log.info({ workers: Array.from(workers, ({ pid }) => pid) }, 'serving by several processes')
}

/**
 * Ends a worker that does not serve yet, and so has no requests to finish. A signal reaches it before it has loaded its modules,
 * unlike a message. A paused process handles no signal but SIGKILL.
 */
function endStarting(worker: ChildProcess): void {
  worker.kill('SIGTERM')
  const timer = setTimeout(() => worker.kill('SIGKILL'), startingEndMs)
  worker.once('exit', () => clearTimeout(timer))
}

type Ready = Extract<WorkerMessage, { readonly kind: 'ready' }>

/** Waits until a worker serves. @throws `Error` if it ends before */
async function untilReady(worker: ChildProcess): Promise<Ready> {
  return await new Promise((resolve, reject) => {
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') resolve(message)
    })
    worker.once('exit', () => reject(new Error('Cannot start: a worker ended before it served')))
  })
}

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createMetricsCollector } from './createMetricsCollector.ts'
import type { WorkerMessage } from './WorkerMessage.ts'

/** A worker that has answered 3 requests and serves. */
const program = `
const metrics = [
  { name: 'agio_workers', help: 'a', type: 'gauge', aggregator: 'sum', values: [{ labels: {}, value: 1 }] },
  { name: 'agio_requests_total', help: 'b', type: 'counter', aggregator: 'sum', values: [{ labels: {}, value: 3 }] },
]
process.on('message', ({ id }) => process.send({ kind: 'collected', id, metrics }))
process.send({ kind: 'alive' })
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agio-workers-'))
  await writeFile(join(folder, 'worker.cjs'), program)
})
afterAll(() => rm(folder, { recursive: true }))

let workers: readonly ChildProcess[] = []
afterEach(() => {
  for (const worker of workers) worker.kill('SIGKILL')
})

/** Starts two workers, and returns their collector. */
async function start() {
  workers = [0, 1].map(() => fork(join(folder, 'worker.cjs'), { execArgv: [] }))
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  const collector = createMetricsCollector(() => workers)
  for (const worker of workers) {
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'collected') collector.receive(message)
    })
  }
  return collector
}

it('a worker that hangs is not counted among the workers, and keeps the counters of its last answer', async () => {
  const { collect } = await start()
  workers[0]?.kill('SIGSTOP')
  expect(listValues(await collect())).toEqual({ agio_workers: 1, agio_requests_total: 3 })
  workers[0]?.kill('SIGCONT')
  await expect.poll(async () => listValues(await collect())).toEqual({ agio_workers: 2, agio_requests_total: 6 })
  workers[0]?.kill('SIGSTOP')
  expect(listValues(await collect())).toEqual({ agio_workers: 1, agio_requests_total: 6 })
})

it('a worker that ends while its metrics are read has none', async () => {
  const { collect } = await start()
  await collect()
  workers[0]?.kill('SIGSTOP')
  const collected = collect()
  workers[0]?.kill('SIGKILL')
  expect(listValues(await collected)).toEqual({ agio_workers: 1, agio_requests_total: 3 })
})

function listValues(text: string): Readonly<Record<string, number>> {
  const samples = text.matchAll(/^(\w+) (\d+)$/gm)
  return Object.fromEntries([...samples].map(([, name, value]) => [name, Number(value)]))
}

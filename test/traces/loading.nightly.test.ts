import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startCollector } from './startCollector.ts'

it('the libraries of traces are loaded only with a collector', async () => {
  await using collector = await startCollector()
  await using localnet = await startTestLocalnet({ onDisk: true })
  async function listLoaded(traceEndpoint: string | undefined): Promise<readonly string[]> {
    // Node writes the files that it has loaded there.
    const folder = await mkdtemp(join(inject('diskFolder'), 'coverage-'))
    const settings = settingsFor(localnet, { traceEndpoint })
    const server = await startServerProcess(settings, 'Node', { NODE_V8_COVERAGE: folder })
    await server.stop()
    const files = await readdir(folder)
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    return texts.flatMap(
      (text) => text.match(/@opentelemetry\/(?:sdk-trace|resources|exporter-trace-otlp-http)\//g) ?? [],
    )
  }
  expect(await listLoaded(undefined)).toEqual([])
  expect(new Set(await listLoaded(collector.url)).size).toBe(3)
})

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Localnet } from '@agio/localnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { validInputs } from '../harness/validInputs.ts'
import { describeWith } from '../harness/findServices.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess, type ServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { recordTrial } from './trials.ts'

const seconds = 30
const connections = 1000
// Smaller differences are noise of the machine.
const noiseMs = 10

const attacks = {
  'slow read': ['-X', '-w', '1', '-y', '64', '-n', '5', '-z', '32', '-k', '3'],
  'slow headers': ['-H', '-i', '5'],
  'slow body': ['-B', '-i', '5', '-s', '8192'],
} as const

const described = await describeWith(['slowhttptest'], 'that slow clients slow no other down')

described('slow clients', () => {
  let localnet: Localnet
  let server: ServerProcess
  beforeAll(async () => {
    localnet = await startTestLocalnet()
    server = await startServerProcess(settingsFor(localnet, { trustedProxies: 0 }), 'Node')
  })
  afterAll(async () => {
    await server?.stop()
    await localnet?.stop()
  })

  it.each(Object.entries(attacks))(
    'previews of one client stay as fast under %s by a thousand connections from its own address',
    async (name, options) => {
      const before = await measurePreviews(server.url, localnet)
      const attack = startAttack(server.url, options)
      const exited = once(attack, 'exit')
      const during = await measurePreviews(server.url, localnet)
      attack.kill()
      await exited
      recordTrial({
        trial: `Slow clients: ${name}`,
        tried: `slowhttptest ${options.join(' ')} with ${connections} connections for ${seconds} s, beside previews of one client from the same address`,
        result: `Previews without and with it: ${format(before)}; ${format(during)}`,
      })
      expect(during.failed).toBe(0)
      expect(during.typicalP99Ms).toBeLessThan(Math.max(2 * before.typicalP99Ms, noiseMs))
    },
    300_000,
  )
})

function startAttack(url: string, options: readonly string[]): ChildProcess {
  const load = ['-c', String(connections), '-r', '200', '-l', String(seconds + 10), '-v', '0']
  return spawn('slowhttptest', [...load, ...options, '-u', `${url}/docs/reference.js`], { stdio: 'ignore' })
}

type Measured = {
  readonly count: number
  readonly failed: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The median of the p99 of each second: a pause of the machine changes one of them. */
  readonly typicalP99Ms: number
}

/** Previews one after the other, and returns how long they took. */
async function measurePreviews(url: string, { chains }: Localnet): Promise<Measured> {
  const call = createRestCaller({ url, apiKey })
  const input = validInputs(chains[84532])['convert.preview']
  const untilMs = performance.now() + seconds * 1000
  const bySecond = new Map<number, number[]>()
  let failed = 0
  while (performance.now() < untilMs) {
    const startedAtMs = performance.now()
    const isAnswered = await call('convert.preview', input).then(
      ({ status }) => status === 200,
      () => false,
    )
    const second = Math.floor(startedAtMs / 1000)
    bySecond.set(second, [...(bySecond.get(second) ?? []), performance.now() - startedAtMs])
    if (!isAnswered) failed += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const all = [...bySecond.values()]
  return {
    count: all.flat().length,
    failed,
    p50Ms: quantile(all.flat(), 0.5),
    p99Ms: quantile(all.flat(), 0.99),
    typicalP99Ms: quantile(
      all.map((durations) => quantile(durations, 0.99)),
      0.5,
    ),
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
}

function format({ count, failed, p50Ms, p99Ms, typicalP99Ms }: Measured): string {
  return `${count} previews, ${failed} failed, median ${p50Ms} ms, p99 ${p99Ms} ms, ${typicalP99Ms} ms in a typical second`
}

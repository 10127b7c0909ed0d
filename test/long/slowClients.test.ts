import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Localnet } from '@agio/localnet'
import { expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { validInputs } from '../harness/validInputs.ts'
import { describeWith } from '../harness/findServices.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { setUp } from '../harness/setUp.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { quantile } from '../scale/measurePreviews.ts'
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
  const localnet = setUp(startTestLocalnet)
  const server = setUp(() => startServerProcess(settingsFor(localnet, { trustedProxies: 0 }), 'Node'))

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
  const [count, p50Ms, p99Ms] = [all.flat().length, quantile(all.flat(), 0.5), quantile(all.flat(), 0.99)]
  const p99OfSeconds = all.map((durations) => quantile(durations, 0.99))
  return { count, failed, p50Ms, p99Ms, typicalP99Ms: quantile(p99OfSeconds, 0.5) }
}

function format({ count, failed, p50Ms, p99Ms, typicalP99Ms }: Measured): string {
  const [median, p99, typical] = [p50Ms, p99Ms, typicalP99Ms].map((ms) => `${ms.toFixed(1)} ms`)
  return `${count} previews, ${failed} failed, median ${median}, p99 ${p99}, ${typical} in a typical second`
}

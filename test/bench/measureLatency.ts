import { Pool } from 'undici'
import { keepAwake } from './keepAwake.ts'
import type { Load } from './Load.ts'
import type { Subject } from './startSubject.ts'

/**
 * Sends previews at an even rate, whether or not those before are answered. Each one's time begins when it was due, so that
 * a service which stands still is charged with all who would have come meanwhile.
 *
 * @throws `Error` if one of them was not answered with 200
 */
export async function measureLatency(
  { name, url }: Pick<Subject, 'name' | 'url'>,
  { requests, perSecond, seconds }: measureLatency.Settings,
): Promise<Latency> {
  const pool = new Pool(url, { connections: 128, pipelining: 1 })
  const count = Math.max(1, Math.floor(perSecond * seconds))
  const spacingMs = 1000 / perSecond
  const times: number[] = []
  const answers: Promise<void>[] = []
  async function ask(dueMs: number): Promise<void> {
    const { method, path, headers, body = null } = requests[answers.length % requests.length] as Load[number]
    const answer = await pool.request({ method, path, headers, body })
    await answer.body.dump()
    times.push(performance.now() - dueMs)
    if (answer.statusCode !== 200) throw new Error(`Cannot measure ${name}: it answered ${answer.statusCode}`)
  }
  await keepAwake(async () => {
    const startedMs = performance.now()
    while (answers.length < count) {
      const due = Math.min(count, (performance.now() - startedMs) / spacingMs)
      while (answers.length < due) answers.push(ask(startedMs + answers.length * spacingMs))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(answers)
  })
  await pool.close()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN
  return { perSecond, p50Ms: at(0.5), p99Ms: at(0.99) }
}

export declare namespace measureLatency {
  type Settings = { readonly requests: Load; readonly perSecond: number; readonly seconds: number }
}

export type Latency = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }

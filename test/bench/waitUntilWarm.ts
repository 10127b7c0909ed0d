import { setTimeout as wait } from 'node:timers/promises'
import type { Measured } from './startSubjects.ts'

/**
 * Waits until a subject responds from memory. Its node reads a new block first, which takes long for many pools on a machine
 * where the node shares a core with the sender.
 *
 * @throws `Error` with the last response if none has status 200
 */
export async function waitUntilWarm({
  name,
  url,
  load: [first],
}: Pick<Measured, 'name' | 'url' | 'load'>): Promise<void> {
  const { path = '', ...request } = first ?? {}
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`${url}${path}`, request)
    const text = await answer.text()
    if (answer.ok) return
    if (tries === 50) throw new Error(`Cannot measure ${name}: its preview responds with ${text}`)
    await wait(200)
  }
}

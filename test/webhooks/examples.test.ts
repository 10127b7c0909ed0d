import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { killOnExit } from '../harness/killOnExit.ts'

const [secret, old] = ['whsec_4GaPXKvToNsNhb7Ezqb24Mew7f24gts4OriR0/KqDzI=', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
const body = JSON.stringify({ type: 'transaction.finalized', timestamp: '', data: { transactionHash: '0xabc' } })

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agio-receiver-'))
  await cp(new URL('../../examples/webhooks/', import.meta.url), folder, { recursive: true })
  await symlink(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'))
})

afterAll(() => rm(folder, { recursive: true }))

describe.each(['receive.ts', 'receivePlain.ts'])('the example %s', (name) => {
  it(`${name} handles a signed event once, and refuses one that is altered, old, or signed by another secret`, async () => {
    await using receiver = await start(name)
    const now = new Date()
    const signature = new Webhook(secret).sign('msg_1', now, body)
    const other = new Webhook(old).sign('msg_1', now, body)
    const send = async (changes: { readonly body?: string; readonly signature?: string; readonly at?: Date } = {}) => {
      const { at = now } = changes
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': changes.signature ?? signature,
      }
      return (await fetch(receiver.url, { method: 'POST', headers, body: changes.body ?? body })).status
    }
    const hourAgo = new Date(now.getTime() - 3_600_000)
    expect(await send({ body: body.replace('0xabc', '0xdef') })).toBe(400)
    expect(await send({ signature: other })).toBe(400)
    expect(await send({ signature: 'v1,' })).toBe(400)
    expect(await send({ signature: new Webhook(secret).sign('msg_1', hourAgo, body), at: hourAgo })).toBe(400)
    expect(await send({ signature: `${other} ${signature}` })).toBe(204)
    expect(await send()).toBe(204)
    await expect.poll(() => receiver.lines.slice(1), eventually).toEqual(['transaction.finalized 0xabc'])
  })
})

/** Starts an example with a secret, and waits until it listens. */
async function start(name: string) {
  const port = await findFreePort()
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret }
  const child = spawn(process.execPath, [name], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  killOnExit(child)
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  await expect.poll(() => lines.length, eventually).toBeGreaterThan(0)
  return { url: `http://127.0.0.1:${port}/`, lines, [Symbol.asyncDispose]: async () => void child.kill() }
}

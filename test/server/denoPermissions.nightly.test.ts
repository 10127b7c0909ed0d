import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { toDenoCommand } from '@agio/server'
import { expect, it } from 'vitest'
import { killOnExit } from '../harness/killOnExit.ts'
import { settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess, toEnvironment } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'

// Starting Deno and a database takes a few seconds on an idle machine.
const timeout = 180_000

const root = fileURLToPath(new URL('../..', import.meta.url))
const serveDeno = 'packages/server/src/serveDeno.ts'
const run = promisify(execFile)

const localnet = setUp(() => startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 }))

it('the service on Deno may do what its settings need, and nothing else; without webhooks it reaches no other hosts', async () => {
  const settings = settingsFor(localnet, { port: 3000, redisUrl: 'redis://redis.example', webhookTargets: 'off' })
  const [program, ...args] = toDenoCommand(settings)
  const needed = [
    { name: 'net', host: '127.0.0.1:3000' },
    { name: 'net', host: new URL(localnet.chains[84532].rpcUrl).host },
    { name: 'net', host: 'redis.example:6379' },
    { name: 'read', path: settings.deploymentsDir },
    { name: 'write', path: settings.dataDir },
    { name: 'env', variable: 'ADMIN_KEY' },
    { name: 'sys', kind: 'hostname' },
  ]
  const others = [
    { name: 'net', host: '127.0.0.1:3001' },
    { name: 'net', host: 'elsewhere.example:443' },
    { name: 'net' },
    { name: 'read', path: '/etc/passwd' },
    { name: 'read', path: join(root, 'README.md') },
    { name: 'write', path: settings.deploymentsDir },
    { name: 'write', path: join(root, 'packages') },
    { name: 'run' },
    { name: 'ffi' },
    { name: 'sys', kind: 'networkInterfaces' },
  ]
  const probe = join(localnet.deploymentsDir, 'probe.ts')
  await writeFile(
    probe,
    `const states = ${JSON.stringify([...needed, ...others])}.map((one) => Deno.permissions.querySync(one).state)
    console.log(JSON.stringify([states, Deno.env.get('PATH') ?? 'unset']))`,
  )
  const { stdout } = await run(program, [...args.slice(0, -1), probe], { cwd: root })
  const [states, path] = JSON.parse(stdout) as [string[], string]
  expect(states.slice(0, needed.length)).toEqual(needed.map(() => 'granted'))
  expect(states.slice(needed.length)).toEqual(others.map(() => 'prompt'))
  expect(path, 'variables of other programs are unset').toBe('unset')
})

it(
  'serve:deno serves under the permissions of its settings, and SIGTERM reaches the service',
  { timeout },
  async () => {
    const env = { ...process.env, ...toEnvironment(settingsFor(localnet)) }
    const child = spawn(process.execPath, [serveDeno], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
    killOnExit(child)
    const exited = once(child, 'exit')
    const lines: string[] = []
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      if (line.startsWith('ready')) child.kill('SIGTERM')
    }
    expect(lines.at(-1)).toMatch(/^ready on http:/)
    expect(await exited).toEqual([0, null])
  },
)

it(
  'serve:deno --print prints the command of the service for an init system, without starting it',
  { timeout },
  async () => {
    const settings = settingsFor(localnet)
    const env = { ...process.env, ...toEnvironment(settings) }
    const { stdout } = await run(process.execPath, [serveDeno, '--print'], { cwd: root, env })
    expect(stdout.trim().split(' ')).toEqual(toDenoCommand(settings))
  },
)

it(
  'on Deno a second process cannot open the embedded database, although neither may look for the other',
  { timeout },
  async () => {
    const settings = settingsFor(localnet)
    await using first = await startServerProcess(settings, 'Deno')
    await expect(startServerProcess(settings, 'Deno')).rejects.toThrow(`process ${first.pid} on`)
  },
)

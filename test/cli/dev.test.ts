import { Network } from '@agio/core'
import { findLocalStack, toStacksFolder } from '@agio/server/stacks'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const lastStep = 'Scenario: the last step has run'

const main = fileURLToPath(import.meta.resolve('../../packages/cli/src/main.ts'))

test.each(['SIGINT', 'SIGTERM'] as const)(
  'agio dev --no-service prints ready in its last line, and %s ends it with code 0',
  async (signal) => {
    const child = spawn(process.execPath, [main, 'dev', '--no-service'], {
      env: { ...process.env, RPC_PORT: '0', CONSOLE: 'off' },
      stdio: 'pipe',
    })
    const lines: string[] = []
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      if (line.startsWith('ready')) child.kill(signal)
    }
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    expect(code).toBe(0)
    expect(lines.findIndex((line) => line.startsWith('ready'))).toBe(lines.indexOf('Stopping') - 1)
  },
)

test('agio dev exits with code 0 and without an error if SIGINT comes while the service starts', async () => {
  const env = { ...process.env, RPC_PORT: '0', PORT: '0', CONSOLE: 'off' }
  const child = spawn(process.execPath, [main, 'dev'], { env, stdio: 'pipe' })
  const closed = once(child, 'close')
  const errors: string[] = []
  child.stderr.on('data', (data: Buffer) => errors.push(String(data)))
  for await (const line of createInterface(child.stdout)) {
    if (line === 'Starting the service') child.kill('SIGINT')
  }
  expect(await closed).toEqual([0, null])
  expect(errors).toEqual([])
})

test('a second agio dev of a checkout has another name and temporary data, and leaves the first one alone', async () => {
  const state = await mkdtemp(join(tmpdir(), 'agio-state-'))
  const find = async () => await findLocalStack(undefined, toStacksFolder({ XDG_STATE_HOME: state }))
  await using stacks = new AsyncDisposableStack()
  stacks.defer(() => rm(state, { recursive: true }))
  await startUntilReady(stacks, { env: { XDG_STATE_HOME: state } })
  const registered = await find()
  expect(registered).toMatchObject({ name: 'default', checkout: expect.any(String) })
  const lines = await startUntilReady(stacks, { env: { XDG_STATE_HOME: state } })
  expect(lines.at(-1)).toMatch(/^ready/)
  expect(lines).toContain('Name: default-2')
  expect(await findLocalStack('default-2', toStacksFolder({ XDG_STATE_HOME: state }))).not.toHaveProperty('checkout')
  expect(await find()).toEqual(registered)
})

test('agio dev --json prints one object with URLs, keys and contracts when it is ready, then the steps of its scenario file, and an event when it stops', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agio-scenario-'))
  const file = join(folder, 'faults.json')
  await writeFile(file, JSON.stringify({ steps: [{ at: '0s', run: 'no-mining' }] }))
  const args = ['dev', '--json', '--scenario', file, '--name', `test-json-${process.pid}`]
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, CONSOLE: 'off' }, stdio: 'pipe' })
  child.stderr.resume()
  const events: Record<string, unknown>[] = []
  for await (const line of createInterface(child.stdout)) {
    events.push(JSON.parse(line) as Record<string, unknown>)
    if (events.at(-1)?.['message'] === lastStep) child.kill('SIGTERM')
  }
  await rm(folder, { recursive: true })
  const address = expect.stringMatching(/^0x[\da-fA-F]{40}$/) as unknown
  expect(events).toEqual([
    expect.objectContaining({
      event: 'ready',
      name: args.at(-1),
      pid: child.pid,
      url: expect.stringMatching(/^http:/) as unknown,
      keys: { api: 'local-key', standard: 'local-standard-key', admin: 'local-admin-key' },
      rpcUrls: Network.map(() => expect.stringMatching(/^http:/) as unknown),
      tokens: Network.map(() => ({ tAUD: address, tUSD: address, tEUR: address })),
      pools: Network.map(() => ({ 'tAUD/tUSD': address, 'tEUR/tUSD': address })),
      contracts: Network.map(() => expect.objectContaining({ router: address, factory: address }) as unknown),
    }),
    { event: 'message', message: 'Scenario: no-mining' },
    { event: 'message', message: lastStep },
    { event: 'stopping' },
  ])
})

// As in containers that run as an arbitrary user: the home is the root folder, or the user has no home.
test.each([{ HOME: '/' }, { HOME: undefined }])(
  'agio dev starts as a user with the environment %j who can write no state, and says which variable moves it',
  async (home) => {
    await using stacks = new AsyncDisposableStack()
    const account = process.getuid?.() === 0 ? { uid: 100_654_321, gid: 0 } : {}
    const env = { ...home, XDG_STATE_HOME: undefined }
    const lines = await startUntilReady(stacks, { args: ['--name', 'arbitrary'], env, account })
    expect(lines.at(-1)).toMatch(/^ready/)
    expect(lines).toContainEqual(
      expect.stringMatching(/^Other commands cannot find this stack \(E.*\)\. Set XDG_STATE_HOME to a folder/),
    )
  },
)

test('agio dev --json stops when the process that reads its output has ended', async () => {
  const args = [main, 'dev', '--no-service', '--json', '--name', `test-unread-${process.pid}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await exited).toEqual([0, null])
})

/** Runs `agio dev` until it is ready, and returns its output. Disposing `stacks` stops it. */
async function startUntilReady(
  stacks: AsyncDisposableStack,
  { args = ['--no-service'], env: changes = {}, account = {} }: Start,
): Promise<readonly string[]> {
  const env = { ...process.env, RPC_PORT: '0', PORT: '0', CONSOLE: 'off', ...changes }
  const child = spawn(process.execPath, [main, 'dev', ...args], { env, stdio: 'pipe', ...account })
  child.stderr.pipe(process.stderr)
  const closed = once(child, 'close')
  stacks.defer(async () => {
    child.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
  })
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (line.startsWith('ready')) break
  }
  child.stdout.resume()
  return lines
}

type Start = {
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly account?: { readonly uid?: number; readonly gid?: number }
}

// Time enough for a busy machine.
const timeout = 60_000

test('a process that has stopped its chains ends by itself', { timeout }, async () => {
  const index = import.meta.resolve('@agio/localnet')
  const deploymentsDir = join(tmpdir(), 'agio-localnet-test')
  const code = `const { startLocalnet } = await import(${JSON.stringify(index)})
    const localnet = await startLocalnet({ rpcPort: 0, deploymentsDir: ${JSON.stringify(deploymentsDir)} })
    await localnet.stop()`
  const { stdout } = await run(['--input-type=module', '--eval', code])
  expect(stdout).toBe('')
})

test.each([
  [
    ['--fork', '1=http://127.0.0.1:1'],
    1,
    `Cannot fork '1': --fork takes <chain>=<http URL>, chain ${Network.chainIds.join(' or ')}`,
  ],
  [['--name', '../x'], 1, "Cannot start: --name takes up to 40 letters, digits, - and _, not '../x'"],
  [['--frok'], 2, "error: unknown option '--frok'\n(Did you mean --fork?)"],
])('error: agio dev rejects %j with one sentence', async (args, code, message) => {
  const failure = await run([main, 'dev', ...args]).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) as string })
})

async function run(args: readonly string[]) {
  return await promisify(execFile)(process.execPath, args, { timeout })
}

import { Network } from '@agio/core'
import { findLocalStack } from '@agio/server/cli'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const main = join(import.meta.dirname, 'main.ts')

test.each(['SIGINT', 'SIGTERM'] as const)(
  'pnpm localnet prints ready in its last line, and %s ends it with code 0',
  async (signal) => {
    const child = spawn(process.execPath, [main], {
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

test('pnpm start exits with code 0 and without an error if SIGINT comes while the service starts', async () => {
  const env = { ...process.env, RPC_PORT: '0', PORT: '0', CONSOLE: 'off' }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start.ts')], { env, stdio: 'pipe' })
  const closed = once(child, 'close')
  const errors: string[] = []
  child.stderr.on('data', (data: Buffer) => errors.push(String(data)))
  for await (const line of createInterface(child.stdout)) {
    if (line === 'Starting the service') child.kill('SIGINT')
  }
  expect(await closed).toEqual([0, null])
  expect(errors).toEqual([])
})

test('a second pnpm start of a checkout has temporary data, and leaves the first one alone', async () => {
  await using stacks = new AsyncDisposableStack()
  await startUntilReady(stacks)
  const registered = await findLocalStack()
  expect(registered?.service).toBeDefined()
  const lines = await startUntilReady(stacks)
  expect(lines.at(-1)).toMatch(/^ready/)
  expect(lines).toContain('Another local stack uses the database in .local/data: this one has a temporary database')
  expect(await findLocalStack()).toEqual(registered)
})

/** Runs `pnpm start` until it is ready, and returns its output. Disposing `stacks` stops it. */
async function startUntilReady(stacks: AsyncDisposableStack): Promise<readonly string[]> {
  const env = { ...process.env, RPC_PORT: '0', PORT: '0', CONSOLE: 'off' }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start.ts')], { env, stdio: 'pipe' })
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

// Time enough for a busy machine.
const timeout = 60_000

test('a process that has stopped its chains ends by itself', { timeout }, async () => {
  const index = join(import.meta.dirname, 'index.ts')
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
    `Cannot fork '1': --fork takes <chain>=<http URL>, chain ${Network.chainIds.join(' or ')}`,
  ],
  [['--frok'], "Cannot start: Unknown option '--frok'"],
])('error: pnpm localnet rejects %j with one sentence and code 1', async (args, message) => {
  const failure = await run([main, ...args]).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) as string })
})

async function run(args: readonly string[]) {
  return await promisify(execFile)(process.execPath, args, { timeout })
}

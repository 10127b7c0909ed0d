import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listScenarios } from '@agio/localnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endWithUs } from '../stack/endWithUs.ts'
import { findFreePort } from '../stack/findFreePort.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('--help has a line for each scenario, and needs no service', async () => {
  const { code, stdout } = await run(['--help'])
  expect(code).toBe(0)
  for (const { name, description } of listScenarios()) {
    expect(stdout.split('\n').filter((line) => line.startsWith(`${name} `) && line.includes(description))).toHaveLength(
      1,
    )
  }
})

it.each([
  [['nope'], "Cannot run a scenario: there is no 'nope' (pnpm scenario --help lists them)\n"],
  [[], 'Cannot run a scenario: none is named (pnpm scenario --help lists them)\n'],
])('error: %j is refused with one sentence and code 1', async (args, stderr) => {
  expect(await run(args)).toEqual({ code: 1, stdout: '', stderr })
})

it('error: where nobody serves, it says so, and how to start', async () => {
  const stderr = `Cannot run a scenario: no service answers at http://127.0.0.1:1 (pnpm start starts one)\n`
  expect(await run(['mine'], '1')).toEqual({ code: 1, stdout: '', stderr })
})

describe('with a running `pnpm start`', () => {
  let started: ChildProcess
  let port: string

  beforeAll(async () => {
    port = String(await findFreePort())
    started = spawn(process.execPath, ['packages/localnet/src/start.ts'], {
      cwd: root,
      env: { ...process.env, PORT: port, HOST: '127.0.0.1', RPC_PORT: '0', LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    endWithUs(started)
    for await (const line of createInterface({ input: started.stdout! })) if (line.startsWith('ready')) break
    if (started.exitCode !== null) throw new Error('Cannot test the command: pnpm start has ended')
  })

  afterAll(async () => {
    if (started.exitCode !== null) return
    started.kill('SIGTERM')
    await once(started, 'exit')
  })

  it('puts faults in place and takes them away', async () => {
    expect(await preview()).toBe(200)
    const moved = await run(['price-move', '--symbol', 'tAUD', '--percent', '-5'], port)
    expect(moved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^price-move: chain 84532 as of block \d+/) })
    const stale = await run(['stale-price'], port)
    expect(stale).toMatchObject({ code: 0, stdout: expect.stringContaining('callers get svc/stale-price') })
    expect(await preview()).toBe(422)
    const reset = await run(['reset'], port)
    expect(reset).toMatchObject({ code: 0, stdout: expect.stringMatching(/^reset: chain 84532 .*, chain 421614 /) })
    expect(await preview()).toBe(200)
  })

  it('shows what the service refuses in one sentence, with code 1', async () => {
    const stderr = 'svc/invalid-request: Cannot read depth: it must be a whole number from 1 to 64\n'
    expect(await run(['reorg', '--depth', '0', '--chain', '421614'], port)).toEqual({ code: 1, stdout: '', stderr })
  })

  async function preview(): Promise<number> {
    const listed = await fetch(`http://127.0.0.1:${port}/api/v1/faucet/tokens?chainId=84532`, {
      headers: { 'x-api-key': 'local-key' },
    })
    const { data } = (await listed.json()) as { data: { tokens: { symbol: string; address: string }[] } }
    const find = (symbol: string) => data.tokens.find((token) => token.symbol === symbol)?.address
    const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/convert/preview`, {
      method: 'POST',
      headers: { 'x-api-key': 'local-key', 'content-type': 'application/json' },
      body: JSON.stringify({ tokenIn: find('tAUD'), tokenOut: find('tUSD'), amountIn: '1' }),
    })
    return status
  }
})

async function run(args: readonly string[], port = '') {
  const env = { ...process.env, PORT: port, HOST: '' }
  const script = ['packages/localnet/src/scenario.ts', ...args]
  const done = promisify(execFile)(process.execPath, script, { cwd: root, env })
  return await done.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Network } from '@agio/core'
import { stat } from 'node:fs/promises'
import { listScenarios, type Localnet } from '@agio/localnet'
import { toStacksFolder } from '@agio/localnet/stacks'
import { join } from 'node:path'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { startProxy, type Proxy } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startLocalProcess, type LocalProcess } from '../harness/startLocalProcess.ts'

it('agio scenario --help prints a line for each scenario, and needs no service', async () => {
  const { code, stdout } = await runScenario(['--help'])
  expect(code).toBe(0)
  for (const { name } of listScenarios()) {
    expect(stdout.split('\n').filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1)
  }
  const description = listScenarios().find(({ name }) => name === 'reorg')?.description
  const help = (await runScenario(['reorg', '--help'])).stdout.replaceAll(/\s+/g, ' ')
  expect(help).toContain(description)
})

it.each([
  [[], 'Usage: agio scenario'],
  [['reset', 'all'], 'error: too many arguments'],
  [['price-move', '--symbol', 'tAUD'], "error: required option '--percent <n>' not specified"],
])('error: agio scenario refuses the arguments %j with exit code 2', async (args, message) => {
  const refused = { code: 2, stdout: '', stderr: expect.stringContaining(message) as string }
  expect(await runScenario(args)).toEqual(refused)
})

it('error: agio scenario without a stack reports that, and how to start one', async () => {
  const stderr = `No local stack responds at http://127.0.0.1:1. Start one with agio dev\n`
  expect(await runScenario(['mine'], { PORT: '1' })).toEqual({ code: 5, stdout: '', stderr })
  const unknown =
    "Cannot find the service: no local stack named 'none' runs. Start one with agio dev, or set AGIO_URL\n"
  expect(await runScenario(['mine'], { AGIO_STACK: 'none' })).toEqual({ code: 5, stdout: '', stderr: unknown })
})

it('error: agio scenario for a service without local chains is svc/not-found', async () => {
  const PORT = new URL(inject('targets')[0]?.url ?? '').port
  const stderr = 'svc/not-found: Cannot find /local/scenarios/mine: no operation exists at this path\n'
  expect(await runScenario(['mine'], { PORT })).toEqual({ code: 2, stdout: '', stderr })
})

describe('with a running `pnpm start`', () => {
  let started: LocalProcess
  let named: { readonly AGIO_STACK: string }
  let stackFile: string

  beforeAll(async () => {
    started = await startLocalProcess()
    named = { AGIO_STACK: started.name }
    stackFile = join(toStacksFolder(), `${started.name}.json`)
  })

  afterAll(() => started?.stop('SIGKILL'))

  it('pnpm scenario injects faults into a running pnpm start, and resets them', async () => {
    expect(await started.preview(84532)).toBe(200)
    const moved = await runScenario(['price-move', '--symbol', 'tAUD', '--percent', '-5'], { PORT: started.port })
    expect(moved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^price-move: chain 84532 as of block \d+/) })
    const stale = await runScenario(['stale-price'], { PORT: started.port })
    expect(stale).toMatchObject({ code: 0, stdout: expect.stringContaining('callers get svc/stale-price') })
    expect(await started.preview(84532)).toBe(422)
    const reset = await runScenario(['reset'], { PORT: started.port })
    expect(reset).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^reset: ${Network.chainIds.map((id) => `chain ${id} .*`).join(', ')}`)),
    })
    expect(await started.preview(84532)).toBe(200)
  })

  it('agio scenario, sign and keys find a running agio dev by its name, without a port, a URL or an admin key', async () => {
    expect((await stat(stackFile)).mode & 0o777).toBe(0o600)
    expect(await runScenario(['mine'], named)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^mine: chain 84532 /),
    })
    expect(await run(['keys', 'list'], named)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Id +Prefix/) })
    const unsigned = { chainId: 84532, to: zeroAddress, data: '0x', gasLimit: '21000' }
    expect(await run(['sign'], named, JSON.stringify(unsigned))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0x02/),
    })
  })

  it('error: pnpm keys uses the local admin key neither for another URL nor for another port', async () => {
    const toFailure = (code: number, message: RegExp) => ({
      code,
      stdout: '',
      stderr: expect.stringMatching(message) as string,
    })
    expect(await run(['keys', 'list'], { ...named, AGIO_URL: started.url })).toEqual(
      toFailure(8, /^Cannot call the service: set ADMIN_KEY /),
    )
    const serves = `the local stack serves on port ${started.port}, not on PORT=1`
    expect(await run(['keys', 'list'], { ...named, PORT: '1' })).toEqual(
      toFailure(2, new RegExp(`^Cannot call the service: ${serves}`)),
    )
  })

  it('error: pnpm scenario prints the error of the service in one sentence, with the exit code of its class', async () => {
    const stderr = 'svc/invalid-request: Cannot read depth: it must be a whole number from 1 to 64\n'
    const refused = await runScenario(['reorg', '--depth', '0', '--chain', '421614'], { PORT: started.port })
    expect(refused).toEqual({ code: 2, stdout: '', stderr })
  })

  it('error: pnpm scenario reports that a node answers in place of the service', async () => {
    const [rpcUrl] = started.rpcUrls
    const stderr = `The server at ${rpcUrl} is not the service. HOST and PORT name the service\n`
    expect(await runScenario(['mine'], { PORT: new URL(rpcUrl ?? '').port })).toEqual({ code: 5, stdout: '', stderr })
  })

  it('Ctrl-C during faults stops pnpm start with exit code 0, and leaves nothing running', async () => {
    expect(await started.scenario('no-mining', { chainId: 421614 })).toBe(200)
    expect(await started.scenario('rpc-slow', { ms: 60_000 })).toBe(200)
    const held = started.request('transaction/nonce/0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
    const before = await readBlockNumber()
    // Deep enough to keep running.
    const working = started.scenario('reorg', { chainId: 421614, depth: 64 })
    await expect.poll(readBlockNumber).toBeGreaterThan(before)
    // The faults would hold requests back for a minute: stopping does not wait for their end.
    expect(await started.stop('SIGINT')).toBe(0)
    // The time limit of the read may pass before the stop on a slow machine.
    expect(await held).toBeOneOf([200, 504])
    expect(await working).toBe(200)
    await expect(stat(stackFile)).rejects.toMatchObject({ code: 'ENOENT' })
    for (const url of [started.url, ...started.rpcUrls]) await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  async function readBlockNumber(): Promise<bigint> {
    return await connectOwner({ rpcUrl: started.rpcUrls[1] ?? '' }).client.getBlockNumber({ cacheTime: 0 })
  }
})

describe('with `pnpm start --fork` for both chains', () => {
  let upstream: Localnet
  let proxy: Proxy
  let started: LocalProcess

  beforeAll(async () => {
    upstream = await startTestLocalnet()
    proxy = await startProxy(upstream.chains[84532].rpcUrl)
    const { rpcUrl } = upstream.chains[421614]
    started = await startLocalProcess(['--fork', `84532=${proxy.url}`, '--fork', `421614=${rpcUrl}`])
  })

  afterAll(async () => {
    await started?.stop('SIGKILL')
    await proxy?.close()
    await upstream?.stop()
  })

  it.each(Network.chainIds)(
    'pnpm start --fork serves its own deployment on chain %i, and injects faults there',
    async (chainId) => {
      expect(await started.preview(chainId)).toBe(200)
      expect(await started.scenario('stale-price', { chainId })).toBe(200)
      expect(await started.preview(chainId)).toBe(422)
      expect(await started.scenario('reset')).toBe(200)
      expect(await started.preview(chainId)).toBe(200)
    },
  )

  it('while the forked node is unavailable a read of uncached state is 502, and Ctrl-C stops pnpm start with exit code 0', async () => {
    await proxy.close()
    expect(await started.request('transaction/nonce/0x0000000000000000000000000000000000000bad')).toBe(502)
    expect(await started.request('transaction/nonce/0x0000000000000000000000000000000000000bad?chainId=421614')).toBe(
      200,
    )
    expect(await started.stop('SIGINT')).toBe(0)
  })
})

const root = fileURLToPath(new URL('../..', import.meta.url))

// Neither the stack's address nor its keys may come from the shell that runs the tests.
const unset = { PORT: '', HOST: '', RPC_PORT: '', AGIO_URL: '', ADMIN_KEY: '', AGIO_STACK: '' }

/** Runs `agio scenario` as a child process, for the stack that the environment names. */
async function runScenario(args: readonly string[], env: Environment = {}): Promise<Finished> {
  return await run(['scenario', ...args], env)
}

type Environment = Readonly<Record<string, string>>

type Finished = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs `agio` as a child process. */
async function run(args: readonly string[], env: Environment, input = '') {
  return await new Promise<Finished>((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...unset, ...env } }
    const child = execFile(process.execPath, ['packages/cli/src/main.ts', ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}

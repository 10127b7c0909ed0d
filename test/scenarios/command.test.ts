import { Network } from '@agio/core'
import { stat } from 'node:fs/promises'
import { listScenarios, type Localnet } from '@agio/localnet'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { startProxy, type Proxy } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { runKeys, runScenario, runSign } from './runScenario.ts'
import { startLocalProcess, type LocalProcess } from '../harness/startLocalProcess.ts'

const stackFile = new URL('../../.local/stack.json', import.meta.url)

const names = listScenarios()
  .map(({ name }) => name)
  .join(', ')

it('pnpm scenario --help prints a line for each scenario, and needs no service', async () => {
  const { code, stdout } = await runScenario(['--help'])
  expect(code).toBe(0)
  for (const { name, description } of listScenarios()) {
    expect(stdout.split('\n').filter((line) => line.startsWith(`${name} `) && line.includes(description))).toHaveLength(
      1,
    )
  }
})

it.each([
  [
    ['nope'],
    `Cannot run a scenario: unknown scenario 'nope', the scenarios are ${names} (pnpm scenario --help lists them)\n`,
  ],
  [[], 'Cannot run a scenario: its name is missing (pnpm scenario --help lists them)\n'],
])('error: pnpm scenario refuses the arguments %j in one sentence, with exit code 1', async (args, stderr) => {
  expect(await runScenario(args)).toEqual({ code: 1, stdout: '', stderr })
})

it('error: pnpm scenario without a service reports that, and how to start one', async () => {
  const stderr = `Cannot run a scenario: no service responds at http://127.0.0.1:1 (pnpm start starts one)\n`
  expect(await runScenario(['mine'], '1')).toEqual({ code: 1, stdout: '', stderr })
})

it('error: pnpm scenario for a service without local chains is svc/not-found', async () => {
  const port = new URL(inject('targets')[0]?.url ?? '').port
  const stderr = 'svc/not-found: Cannot find /local/scenarios/mine: no operation exists at this path\n'
  expect(await runScenario(['mine'], port)).toEqual({ code: 1, stdout: '', stderr })
})

describe('with a running `pnpm start`', () => {
  let started: LocalProcess

  beforeAll(async () => {
    started = await startLocalProcess()
  })

  afterAll(() => started?.stop('SIGKILL'))

  it('pnpm scenario injects faults into a running pnpm start, and resets them', async () => {
    expect(await started.preview(84532)).toBe(200)
    const moved = await runScenario(['price-move', '--symbol', 'tAUD', '--percent', '-5'], started.port)
    expect(moved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^price-move: chain 84532 as of block \d+/) })
    const stale = await runScenario(['stale-price'], started.port)
    expect(stale).toMatchObject({ code: 0, stdout: expect.stringContaining('callers get svc/stale-price') })
    expect(await started.preview(84532)).toBe(422)
    const reset = await runScenario(['reset'], started.port)
    expect(reset).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^reset: ${Network.chainIds.map((id) => `chain ${id} .*`).join(', ')}`)),
    })
    expect(await started.preview(84532)).toBe(200)
  })

  it('pnpm scenario, sign and keys find a running pnpm start without a port, a URL or an admin key', async () => {
    expect((await stat(stackFile)).mode & 0o777).toBe(0o600)
    expect(await runScenario(['mine'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mine: chain 84532 /) })
    expect(await runKeys(['list'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Id +Prefix/) })
    const unsigned = { chainId: 84532, to: zeroAddress, data: '0x', gasLimit: '21000' }
    expect(await runSign(unsigned)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0x02/) })
  })

  it('error: pnpm keys uses the local admin key neither for another URL nor for another port', async () => {
    const toFailure = (message: RegExp) => ({ code: 1, stdout: '', stderr: expect.stringMatching(message) as string })
    expect(await runKeys(['list'], { AGIO_URL: started.url })).toEqual(toFailure(/^Cannot manage keys: set ADMIN_KEY /))
    const serves = `pnpm start serves on port ${started.port}, not on PORT=1`
    expect(await runKeys(['list'], { PORT: '1' })).toEqual(toFailure(new RegExp(`^Cannot manage keys: ${serves}`)))
  })

  it('error: pnpm scenario prints the error of the service in one sentence, with exit code 1', async () => {
    const stderr = 'svc/invalid-request: Cannot read depth: it must be a whole number from 1 to 64\n'
    const refused = await runScenario(['reorg', '--depth', '0', '--chain', '421614'], started.port)
    expect(refused).toEqual({ code: 1, stdout: '', stderr })
  })

  it('error: pnpm scenario reports that a node answers in place of the service', async () => {
    const [rpcUrl] = started.rpcUrls
    const stderr = `Cannot run a scenario: the server at ${rpcUrl} is not the service (PORT and HOST name the service)\n`
    expect(await runScenario(['mine'], new URL(rpcUrl ?? '').port)).toEqual({ code: 1, stdout: '', stderr })
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
    expect(await held).toBe(200)
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

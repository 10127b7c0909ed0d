import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalnet, type LocalChain, type Localnet } from '@agio/localnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { validInputs } from '../contract/validInputs.ts'
import { connectOwner } from '../stack/connectOwner.ts'
import { startTestLocalnet } from '../stack/startTestLocalnet.ts'
import { startScenarioStack, type ScenarioStack } from './startScenarioStack.ts'

// Owns what is forked, and nobody here has its key.
const stranger = '0x00000000000000000000000000000000000a910a'

const starting = new AsyncDisposableStack()
let upstream: Localnet
let chain: LocalChain
let stack: ScenarioStack
let inputs: ReturnType<typeof validInputs>

beforeAll(async () => {
  upstream = starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  const owner = connectOwner(upstream.chains[84532])
  const abi = parseAbi(['function transferOwnership(address newOwner)'])
  const data = encodeFunctionData({ abi, functionName: 'transferOwnership', args: [stranger] })
  for (const oracle of Object.values(upstream.chains[84532].oracles)) await owner.send(oracle, data)

  const deploymentsDir = await mkdtemp(join(tmpdir(), 'agio-test-'))
  starting.defer(() => rm(deploymentsDir, { recursive: true }))
  const forks = { 84532: upstream.chains[84532].rpcUrl }
  const settings = { rpcPort: 0, deploymentsDir, forks, knownDeploymentsDir: upstream.deploymentsDir }
  const localnet = starting.use(await startLocalnet({ ...settings, blockIntervalMs: 3_600_000 }))
  stack = await startScenarioStack(localnet)
  starting.defer(() => stack.stop())
  chain = localnet.chains[84532]
  inputs = validInputs(chain)
})

afterAll(async () => {
  await starting.disposeAsync()
})

afterEach(async () => {
  await stack.recover('convert.preview', inputs['convert.preview'])
  await expectOut('650.874400')
})

it.each([
  ['stale-price', 'convert.preview', '422 svc/stale-price'],
  ['pool-frozen', 'convert.preview', '422 svc/pool-frozen'],
  ['thin-pool', 'convert.preview', '422 svc/above-max-origin'],
  ['dry-faucet', 'faucet.buildClaimAll', '503 svc/faucet-dry'],
  ['rpc-down', 'approval.check', '503 svc/upstream-unavailable'],
] as const)('%s works on a fork whose oracles are somebody else’s', async (name, operation, outcome) => {
  const before = await connectOwner(upstream.chains[84532]).client.getBlockNumber({ cacheTime: 0 })
  expect(await stack.ask(operation, inputs[operation])).toEqual(['200 ok', '200 ok'])
  await stack.scenarios.run(name)
  expect(await stack.ask(operation, inputs[operation])).toEqual([outcome, outcome])
  await stack.recover(operation, inputs[operation])
  expect(await connectOwner(upstream.chains[84532]).client.getBlockNumber({ cacheTime: 0 })).toBe(before)
})

it('price-move moves the preview by as much', async () => {
  await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 10 })
  await expectOut('715.961840')
})

it('reorg replaces blocks, and the service follows', async () => {
  const { client } = connectOwner(chain)
  const before = await client.getBlockNumber({ cacheTime: 0 })
  expect(await stack.scenarios.run('reorg', { depth: 2 })).toMatchObject({ blockNumber: Number(before) + 3 })
  expect(await stack.ask('convert.preview', inputs['convert.preview'])).toEqual(['200 ok', '200 ok'])
})

it('a reset after a leap in time makes prices fresh', async () => {
  const { client } = connectOwner(chain)
  await client.increaseTime({ seconds: 7200 })
  await client.mine({ blocks: 1 })
  const stale = ['422 svc/stale-price', '422 svc/stale-price']
  await expect.poll(() => stack.ask('convert.preview', inputs['convert.preview'])).toEqual(stale)
  await stack.scenarios.reset()
  expect(await stack.ask('convert.preview', inputs['convert.preview'])).toEqual(['200 ok', '200 ok'])
  await stack.scenarios.run('stale-price')
  expect(await stack.ask('convert.preview', inputs['convert.preview'])).toEqual(stale)
})

async function expectOut(amountOut: string): Promise<void> {
  const { data } = await stack.callers.REST('convert.preview', inputs['convert.preview'])
  expect(data).toMatchObject({ amountOut })
}

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Localnet } from '@agio/localnet'
import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { both } from '../scenarios/both.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { deployForeignPools, foreignPrices, type ForeignMarket } from '../harness/deployForeignPools.ts'
import { startTestForks, startTestLocalnet } from '../harness/startTestLocalnet.ts'

const starting = new AsyncDisposableStack()
let localnet: Localnet
let market: ForeignMarket
let stack: AgioStack
let deployment: ForeignMarket['deployment']
let preview: Readonly<Record<string, unknown>>
const progress: string[] = []

const withoutCode = getAddress('0x00000000000000000000000000000000000000b0')
// The feeds without an owner. Other feeds take prices from their owners.
const sealedFeeds = ['fEUR', 'fUSD'] as const

beforeAll(async () => {
  const upstream = starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  market = await deployForeignPools(upstream)
  await sealFeeds()
  deployment = await addUnreadablePools(upstream)
  localnet = starting.use(await startTestForks(upstream, (message) => progress.push(message)))
  stack = await startAgio({ localnet })
  starting.defer(() => stack.stop())
  const { fEUR: tokenIn, fUSD: tokenOut } = market.tokens
  preview = { chainId: 84532, tokenIn, tokenOut, amountIn: '100' }
})

afterAll(() => starting.disposeAsync())

it('foreign pools are found on a fork and priced by their own views', async () => {
  const file = await readFile(join(localnet.deploymentsDir, '84532.json'), 'utf8')
  expect(JSON.parse(file)).toEqual({ ...deployment, local: true })
  const answers = await Promise.all(Object.values(stack.callers).map((call) => call('convert.preview', preview)))
  for (const { data } of answers) expect(data).toMatchObject({ amountOut: '108.536871' })
  const { data } = await stack.callers.REST('pools.list', { chainId: 84532 })
  expect(data?.['pools']).toMatchObject([{ name: 'fEUR/fUSD' }, { name: 'fAUD/fUSD' }, { name: 'fSGD/fUSD' }])
})

it('the start of a fork names in one line each pool that it leaves out and each feed that it replaces', () => {
  const unreadable = deployment.pools.filter((pool) => !market.deployment.pools.includes(pool))
  for (const address of [...unreadable, ...sealedFeeds.map((symbol) => market.oracles[symbol])]) {
    expect(progress.filter((line) => line.includes(address))).toEqual([expect.not.stringContaining('\n')])
  }
  expect(progress.join()).not.toContain(market.oracles.fAUD)
})

it('a price of a feed without an owner moves on a fork, and not on the forked chain', async () => {
  const { fEUR: tokenIn, fUSD: tokenOut } = market.tokens
  await stack.scenarios.run('price-move', { symbol: 'fEUR', percent: -10 })
  const { data } = await stack.callers.REST('oracle.prices', { chainId: 84532 })
  expect(data?.['prices']).toMatchObject({ fEUR: { usd: '0.97605000', oracle: market.oracles.fEUR } })
  await stack.recover('convert.preview', { chainId: 84532, tokenIn, tokenOut, amountIn: '102' })
  const restored = await stack.callers.REST('oracle.prices', { chainId: 84532 })
  expect(restored.data?.['prices']).toMatchObject({ fEUR: { usd: '1.08450000' } })
})

it.each([
  ['stale-price', '422 svc/stale-price'],
  ['pool-frozen', '422 svc/pool-frozen'],
  ['rpc-down', '503 svc/upstream-unavailable'],
] as const)('the scenario %s also works on foreign pools, until a reset', async (name, outcome) => {
  expect(await stack.request('convert.preview', preview)).toEqual(both('200 ok'))
  await stack.scenarios.run(name)
  // Their views are called again.
  expect(await stack.request('convert.preview', { ...preview, amountIn: '101' })).toEqual(both(outcome))
  await stack.recover('convert.preview', preview)
})

it('error: svc/invalid-request for the scenario dry-faucet if the deployment has no faucet', async () => {
  const refused = { code: 'svc/invalid-request', details: { field: 'chainId' } }
  await expect(stack.scenarios.run('dry-faucet')).rejects.toMatchObject(refused)
})

/** Replaces feeds on the chain to fork by feeds of which no account can set the price. */
async function sealFeeds(): Promise<void> {
  const owner = connectOwner(market.chain)
  for (const symbol of sealedFeeds) {
    const feed = await owner.deploy('testing/ForeignOracle', [8, foreignPrices[symbol]])
    const bytecode = (await owner.client.getCode({ address: feed })) as Hex
    await owner.client.setCode({ address: market.oracles[symbol], bytecode })
  }
}

/** Adds pools that cannot be read to the deployment file of the chain to fork. */
async function addUnreadablePools({ deploymentsDir }: Localnet): Promise<ForeignMarket['deployment']> {
  const owner = connectOwner(market.chain)
  const reverting = await owner.deploy('testing/BrokenContract', [0])
  const burning = await owner.deploy('testing/BrokenContract', [1])
  const pools = [...market.deployment.pools, withoutCode, reverting, burning]
  const changed = { ...market.deployment, pools }
  await writeFile(join(deploymentsDir, '84532.json'), JSON.stringify(changed))
  return changed
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Localnet } from '@agio/localnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { both } from '../scenarios/both.ts'
import { startScenarioStack, type ScenarioStack } from '../scenarios/startScenarioStack.ts'
import { deployForeignPools, type ForeignMarket } from '../stack/deployForeignPools.ts'
import { startTestForks } from '../stack/startTestLocalnet.ts'
import { startTestLocalnet } from '../stack/startTestLocalnet.ts'

const starting = new AsyncDisposableStack()
let localnet: Localnet
let market: ForeignMarket
let stack: ScenarioStack
let preview: Readonly<Record<string, unknown>>

beforeAll(async () => {
  const upstream = starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  market = await deployForeignPools(upstream)
  localnet = starting.use(await startTestForks(upstream))
  stack = await startScenarioStack(localnet)
  starting.defer(() => stack.stop())
  const { fEUR: tokenIn, fUSD: tokenOut } = market.tokens
  preview = { chainId: 84532, tokenIn, tokenOut, amountIn: '100' }
})

afterAll(async () => {
  await starting.disposeAsync()
})

it('foreign pools are found on a fork and priced by their own views', async () => {
  const file = await readFile(join(localnet.deploymentsDir, '84532.json'), 'utf8')
  expect(JSON.parse(file)).toEqual(market.deployment)
  const answers = await Promise.all(Object.values(stack.callers).map((call) => call('convert.preview', preview)))
  for (const { data } of answers) expect(data).toMatchObject({ amountOut: '108.536871' })
  const { data } = await stack.callers.REST('pools.list', { chainId: 84532 })
  expect(data?.['pools']).toMatchObject([{ name: 'fEUR/fUSD' }, { name: 'fAUD/fUSD' }, { name: 'fSGD/fUSD' }])
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

import type { LocalChain, Localnet } from '@agio/localnet'
import { erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { validInputs } from '../contract/validInputs.ts'
import { convert } from '../liquidity/changePool.ts'
import { connectOwner, type Owner } from '../stack/connectOwner.ts'
import { startTestLocalnet } from '../stack/startTestLocalnet.ts'
import { startScenarioStack, type ScenarioStack } from './startScenarioStack.ts'

let localnet: Localnet
let stack: ScenarioStack
let chain: LocalChain
let owner: Owner
let preview: Readonly<Record<string, unknown>>

beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
  stack = await startScenarioStack(localnet)
  chain = localnet.chains[84532]
  owner = connectOwner(chain)
  preview = validInputs(chain)['convert.preview']
})

afterAll(async () => {
  await stack?.stop()
  await localnet?.stop()
})

beforeEach(expectWell)

afterEach(async () => {
  await stack.recover('convert.preview', preview)
  await expectWell()
})

describe('stale-price', () => {
  it('makes every price too old, and time goes on as it was', async () => {
    const { timestamp } = await owner.client.getBlock()
    const done = await stack.scenarios.run('stale-price')
    expect(done).toMatchObject({ scenario: 'stale-price', chainId: 84532, codes: ['svc/stale-price'] })
    expect(await stack.ask('convert.preview', preview)).toEqual(both('422 svc/stale-price'))
    expect(await stack.ask('convert.preview', { ...preview, ...reversed(), poolAddress: undefined })).toEqual(
      both('422 svc/stale-price'),
    )
    const other = localnet.chains[421614]
    expect(await stack.ask('convert.preview', validInputs(other)['convert.preview'])).toEqual(both('200 ok'))
    expect(Number((await owner.client.getBlock()).timestamp - timestamp)).toBeLessThan(60)
    expect(await readHealth()).toMatchObject({ status: 'ok', chains: [{ blockNumber: done.blockNumber }, {}] })
  })

  it('of one token leaves the others alone, and the other chain if that one is named', async () => {
    await stack.scenarios.run('stale-price', { symbol: 'tEUR' })
    expect(await stack.ask('convert.preview', preview)).toEqual(both('200 ok'))
    await stack.scenarios.run('stale-price', { chainId: 421614 })
    const other = validInputs(localnet.chains[421614])['convert.preview']
    expect(await stack.ask('convert.preview', other)).toEqual(both('422 svc/stale-price'))
    await stack.scenarios.reset({ chainId: 421614 })
    expect(await stack.ask('convert.preview', other)).toEqual(both('200 ok'))
    const { tEUR, tUSD } = chain.tokens
    const ofEuro = { tokenIn: tEUR, tokenOut: tUSD, amountIn: '1' }
    expect(await stack.ask('convert.preview', ofEuro)).toEqual(both('422 svc/stale-price'))
  })
})

describe('price-move', () => {
  it.each([
    [-5, '618.330680'],
    [12.5, '732.233700'],
  ])('of %d percent moves the preview by as much', async (percent, amountOut) => {
    await stack.scenarios.run('price-move', { symbol: 'tAUD', percent })
    expect(await previewOut()).toEqual(both(amountOut))
  })

  it('that is against the caller refuses what was asked for at the old price', async () => {
    const build = validInputs(chain)['transaction.buildConvert']
    expect(await stack.ask('transaction.buildConvert', build)).toEqual(both('200 ok'))
    await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: -1 })
    expect(await stack.ask('transaction.buildConvert', build)).toEqual(both('422 svc/below-min-target'))
  })

  it('adds to another one, and leaves prices as old as they are', async () => {
    await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 100 })
    await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: -75 })
    expect(await previewOut()).toEqual(both('325.437200'))
    await stack.scenarios.run('stale-price')
    await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 1 })
    expect(await stack.ask('convert.preview', preview)).toEqual(both('422 svc/stale-price'))
  })
})

describe('thin-pool', () => {
  const ask = (amountIn: string) => stack.ask('convert.preview', { ...preview, ...reversed(), amountIn })

  it('takes 499 dollars, and not 501', async () => {
    await stack.scenarios.run('thin-pool')
    expect(await ask('499')).toEqual(both('200 ok'))
    expect(await ask('501')).toEqual(both('422 svc/above-max-origin'))
    const [aud, out] = await Promise.all([readReserve('tAUD'), readReserve('tUSD')])
    expect([(aud * 6512n) / 10_000n, out]).toEqual([1_000_000_000n, 1_000_000_000n])
  })

  it('gives back what it took, and what was converted meanwhile stays', async () => {
    const before = await Promise.all([readReserve('tAUD'), readReserve('tUSD')])
    await stack.scenarios.run('thin-pool', { pool: 'tAUD/tUSD' })
    const thin = await Promise.all([readReserve('tAUD'), readReserve('tUSD')])
    await convert(chain, 'tUSD', '100')
    const converted = await Promise.all([readReserve('tAUD'), readReserve('tUSD')])
    await stack.scenarios.reset()
    const after = await Promise.all([readReserve('tAUD'), readReserve('tUSD')])
    expect(converted[1]).toBe(thin[1] + 100_000_000n)
    expect(after).toEqual(before.map((reserve, side) => reserve + converted[side]! - thin[side]!))
  })

  async function readReserve(symbol: 'tAUD' | 'tUSD'): Promise<bigint> {
    const read = { address: chain.tokens[symbol], abi: erc20Abi, functionName: 'balanceOf' } as const
    return await owner.client.readContract({ ...read, args: [chain.pools['tAUD/tUSD']] })
  }
})

it('pool-frozen freezes every pool, or one', async () => {
  const { tEUR, tUSD } = chain.tokens
  const other = { tokenIn: tEUR, tokenOut: tUSD, amountIn: '1' }
  await stack.scenarios.run('pool-frozen', { pool: 'tAUD/tUSD' })
  expect(await stack.ask('convert.preview', preview)).toEqual(both('422 svc/pool-frozen'))
  expect(await stack.ask('convert.preview', other)).toEqual(both('200 ok'))
  await stack.scenarios.run('pool-frozen')
  expect(await stack.ask('convert.preview', other)).toEqual(both('422 svc/pool-frozen'))
})

it('dry-faucet leaves nothing to claim, until everything is back', async () => {
  const claim = validInputs(chain)['faucet.buildClaimAll']
  expect(await stack.ask('faucet.buildClaimAll', claim)).toEqual(both('200 ok'))
  await stack.scenarios.run('dry-faucet')
  expect(await stack.ask('faucet.buildClaimAll', claim)).toEqual(both('503 svc/faucet-dry'))
  await stack.recover('faucet.buildClaimAll', claim)
})

it('faults of several calls are there together, and one reset takes all of them away', async () => {
  const { tEUR, tUSD } = chain.tokens
  await Promise.all([
    stack.scenarios.run('thin-pool'),
    stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 10 }),
    stack.scenarios.run('stale-price', { symbol: 'tEUR' }),
    stack.scenarios.run('pool-frozen', { pool: 'tAUD/tUSD' }),
  ])
  expect(await stack.ask('convert.preview', preview)).toEqual(both('422 svc/pool-frozen'))
  const stale = { tokenIn: tEUR, tokenOut: tUSD, amountIn: '1' }
  expect(await stack.ask('convert.preview', stale)).toEqual(both('422 svc/stale-price'))
})

it('a reset after a leap in time makes prices fresh', async () => {
  await owner.client.increaseTime({ seconds: 7200 })
  await owner.client.mine({ blocks: 1 })
  await expect.poll(() => stack.ask('convert.preview', preview)).toEqual(both('422 svc/stale-price'))
})

function both(outcome: string): readonly string[] {
  return [outcome, outcome]
}

function reversed() {
  return { tokenIn: chain.tokens.tUSD, tokenOut: chain.tokens.tAUD }
}

async function previewOut(): Promise<readonly unknown[]> {
  const calls = Object.values(stack.callers).map((call) => call('convert.preview', preview))
  return (await Promise.all(calls)).map(({ data }) => data?.['amountOut'])
}

async function expectWell(): Promise<void> {
  expect(await previewOut()).toEqual(both('650.874400'))
}

async function readHealth(): Promise<unknown> {
  return await (await fetch(`${stack.url}/health`)).json()
}

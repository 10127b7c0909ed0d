import type { ScenarioName } from '@agio/localnet'
import { parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { perChain } from '../harness/networks.ts'
import { both } from './both.ts'
import { readWorld } from './readWorld.ts'
import { scenarioStacks } from './scenarioStacks.ts'
import { eventually } from '../harness/timeLimits.ts'
import { readHealth } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'

/** Every fault and `mine`, in an order in which each can be injected. */
const everyFault: readonly (readonly [ScenarioName, Readonly<Record<string, unknown>>?])[] = [
  ['rpc-slow', { ms: 0 }],
  ['rpc-garbage'],
  ['rpc-rate-limited'],
  ['rpc-down'],
  ['price-move', { symbol: 'tAUD', percent: 10 }],
  ['price-move', { symbol: 'tEUR', percent: -99 }],
  ['price-jump'],
  ['sequencer-down'],
  ['depeg'],
  ['thin-pool', { pool: 'tAUD/tUSD' }],
  ['thin-pool'],
  ['dry-faucet'],
  ['pool-frozen'],
  ['stale-price'],
  ['reorg', { depth: 2 }],
  ['mine'],
]

describe.each(scenarioStacks)('on $name', ({ start }) => {
  const subject = setUp(() => start())
  let world: readonly unknown[]

  beforeEach(async () => {
    world = await readBoth()
  })

  afterEach(async () => {
    await subject.recover('convert.preview', subject.inputs['convert.preview'])
    await expectRestored()
  })

  it('one reset undoes every fault, injected twice on both chains, and keeps the transactions of users', async () => {
    const { client, address } = subject.owner
    const to = '0x00000000000000000000000000000000000000a1'
    // Fixed gas: an estimate may be too low by the time that the transaction is mined.
    const transfer = { account: address, to, value: parseEther('1'), chain: null, gas: 100_000n } as const
    const send = () => client.sendTransaction(transfer)
    const hashes = [await send()]
    const before = await client.getBalance({ address: to })
    for (const { chainId } of [subject.chain, subject.other]) {
      for (const [name, options] of [...everyFault, ...everyFault]) await subject.run(name, { chainId, ...options })
    }
    hashes.push(await send())
    await subject.run('no-mining')
    await subject.run('no-mining')
    hashes.push(await send())
    await subject.scenarios.reset()
    for (const hash of hashes) expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await client.getBalance({ address: to })).toBe(before + parseEther('2'))
  })

  it('one scenario is removed alone, and the others stay as they were', async () => {
    const { chainId } = subject.chain
    const active = () => subject.scenarios.listChains().find((chain) => chain.chainId === chainId)?.active
    const remove = (scenario: ScenarioName) => subject.scenarios.reset({ chainId, scenario })
    const move = { symbol: 'tAUD', percent: 10 }
    await subject.run('pool-frozen', { pool: 'tAUD/tUSD' })
    await subject.run('price-move', move)
    await subject.run('dry-faucet')
    await subject.run('rpc-garbage')
    await remove('rpc-garbage')
    const names = () => active()?.map(({ scenario }) => scenario)
    expect(names()).toEqual(['pool-frozen', 'price-move', 'dry-faucet'])
    const [before] = await readBoth()
    await remove('pool-frozen')
    expect(active()).toEqual([
      { scenario: 'price-move', options: move },
      { scenario: 'dry-faucet', options: {} },
    ])
    expect((await readBoth())[0]).toEqual({ ...(before as object), 'tAUD/tUSD frozen': false })
    const { request, inputs } = subject
    expect(await request('convert.preview', inputs['convert.preview'])).toEqual(both('200 ok'))
    await subject.run('no-mining')
    await expect(remove('price-move')).rejects.toThrow('mining is stopped')
    await remove('no-mining')
    await remove('stale-price')
    expect(names()).toEqual(['price-move', 'dry-faucet'])
    await expect(remove('storm' as ScenarioName)).rejects.toThrow('it must be one of')
  })

  it('concurrent scenarios run one after the other, in their order, and their faults are cumulative', async () => {
    const { chainId } = subject.other
    const done: string[] = []
    const record = async (name: string, call: Promise<unknown>) => {
      await call
      done.push(name)
    }
    await Promise.all([
      record('reorg', subject.run('reorg', { depth: 3 })),
      record('price-move', subject.run('price-move', { symbol: 'tAUD', percent: 50 })),
      record('thin-pool', subject.run('thin-pool', { chainId })),
      record('reset', subject.scenarios.reset()),
      record('refused', expect(subject.run('reorg', { depth: -1 })).rejects.toThrow('depth')),
      record('pool-frozen', subject.run('pool-frozen', { pool: 'tAUD/tUSD' })),
      record('stale-price', subject.run('stale-price', { symbol: 'tEUR' })),
    ])
    expect(done).toEqual(['reorg', 'price-move', 'thin-pool', 'reset', 'refused', 'pool-frozen', 'stale-price'])
    const [here, there] = await readBoth()
    expect(there).toEqual(world[1])
    expect(here).toEqual({ ...(world[0] as object), 'tAUD/tUSD frozen': true })
    const { request, inputs, chain } = subject
    expect(await request('convert.preview', inputs['convert.preview'])).toEqual(both('422 svc/pool-frozen'))
    const { tEUR: tokenIn, tUSD: tokenOut } = chain.tokens
    const ofEuro = { chainId: chain.chainId, tokenIn, tokenOut, amountIn: '1' }
    expect(await request('convert.preview', ofEuro)).toEqual(both('422 svc/stale-price'))
  })

  async function expectRestored(): Promise<void> {
    expect(await readBoth()).toEqual(world)
    const healthy = { status: 'ok', chains: perChain({}, { status: 'ok' }) }
    await expect.poll(() => readHealth(subject.url), eventually).toMatchObject(healthy)
  }

  async function readBoth(): Promise<readonly unknown[]> {
    return await Promise.all([readWorld(subject.chain), readWorld(subject.other)])
  }
})

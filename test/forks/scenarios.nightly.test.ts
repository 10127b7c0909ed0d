import { Network } from '@agio/core'
import { afterEach, describe, expect, it } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { startTestForks, startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { readWorld } from '../scenarios/readWorld.ts'
import { setUp } from '../harness/setUp.ts'
import { startAgio } from '../harness/startAgio.ts'

const upstream = setUp(() => startTestLocalnet({ blockIntervalMs: 200 }))
const localnet = setUp(() => startTestForks(upstream))
const stack = setUp(() => startAgio({ localnet }))

describe.each(Network.chainIds)('a fork of %i', (chainId) => {
  afterEach(() => stack.recover('convert.preview', validInputs(localnet.chains[chainId])['convert.preview']))

  it('a fork is served with the deployment of the forked chain', async () => {
    const { deployment, pools } = upstream.chains[chainId]
    expect(localnet.chains[chainId].deployment).toEqual(deployment)
    const inputs = validInputs(upstream.chains[chainId])
    for (const call of Object.values(stack.callers)) {
      const built = await call('transaction.buildConvert', inputs['transaction.buildConvert'])
      expect(built).toMatchObject({ status: 200, data: { to: deployment.router } })
      const { data } = await call('pools.list', { chainId })
      expect(data?.['pools']).toMatchObject(Object.values(pools).map((address) => ({ address })))
    }
  })

  it('scenarios on a fork change nothing on the forked chain, which keeps mining', async () => {
    const { client } = connectOwner(upstream.chains[chainId])
    const fork = connectOwner(localnet.chains[chainId]).client
    const [world, before, ownBefore] = await Promise.all([
      readWorld(upstream.chains[chainId]),
      client.getBlockNumber({ cacheTime: 0 }),
      fork.getBlockNumber({ cacheTime: 0 }),
    ])
    await stack.scenarios.run('price-move', { chainId, symbol: 'tAUD', percent: 10 })
    await stack.scenarios.run('thin-pool', { chainId })
    const { blockNumber } = await stack.scenarios.run('reorg', { chainId, depth: 2 })
    await expect.poll(() => client.getBlockNumber({ cacheTime: 0 })).toBeGreaterThan(before)
    expect(await readWorld(upstream.chains[chainId])).toEqual(world)
    // One price, four withdrawals (two pools, two tokens each), and three blocks of the reorg.
    expect(BigInt(blockNumber)).toBe(ownBefore + 1n + 4n + 3n)
    const { data } = await stack.callers.REST('convert.preview', {
      ...validInputs(localnet.chains[chainId])['convert.preview'],
      amountIn: '1',
    })
    expect(data).toMatchObject({ blockNumber, amountOut: '0.715961' })
  })
})

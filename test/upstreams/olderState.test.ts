import { numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { openInUse } from './openInUse.ts'
import { codeOf, useUpstreams } from './startUpstreams.ts'

const upstreams = useUpstreams()

it('a node that answers calls from an older block than asked prices nothing, and the next node is asked', async () => {
  const { client } = connectOwner(upstreams.chain)
  await client.mine({ blocks: 10, interval: 2 })
  const { chain, mine } = await openInUse(upstreams)
  const findPricings = async () => {
    await mine()
    return new Set((await chain.pools.getSnapshot()).pools.map(({ pricing }) => pricing))
  }
  await expect.poll(findPricings, eventually).toEqual(new Set(['local']))
  const older = numberToHex((await client.getBlockNumber({ cacheTime: 0 })) - 5n)
  upstreams.answerCalls(upstreams.first, async (call, callNode) => {
    const [request, block, ...others] = call.params ?? []
    const isAtHash = call.method === 'eth_call' && typeof block === 'object'
    return await callNode(isAtHash ? { ...call, params: [request, older, ...others] } : call)
  })
  await mine()
  const expected = await upstreams.open([upstreams.second.url]).pools.getSnapshot()
  const { block, pools } = await chain.pools.getSnapshot()
  expect(block.hash).toBe(expected.block.hash)
  expect(pools).toEqual(expected.pools)
  expect(await codeOf(Promise.resolve(upstreams.open([upstreams.first.url]).pools.getSnapshot()))).toBe(
    'svc/upstream-error',
  )
})

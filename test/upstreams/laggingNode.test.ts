import { beforeEach, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { headPoll } from '../harness/startProxy.ts'
import { useUpstreams } from './startUpstreams.ts'

const upstreams = useUpstreams()
beforeEach(async () => {
  standStill()
  // Without this block the chain's newest one would be old as well.
  await connectOwner(upstreams.chain).client.mine({ blocks: 1 })
})

it.each([
  ['HTTP', () => upstreams.first.url],
  ['a WebSocket', () => upstreams.socket.url],
])(
  'a preferred node over %s that stops at an old block lags, and the blocks of the other one count',
  async (_, url) => {
    const chain = upstreams.open([url(), upstreams.second.url])
    const states = () => chain.nodes.list().map(({ state }) => state)
    await expect.poll(states, eventually).toEqual(['lagging', 'healthy'])
    const number = await connectOwner(upstreams.chain).client.getBlockNumber({ cacheTime: 0 })
    await expect.poll(() => chain.heads.state().head?.number, eventually).toBe(number)
    expect((await chain.pools.getSnapshot()).block.number).toBe(number)

    upstreams.first.reset()
    upstreams.socket.reset()
    await expect.poll(states, eventually).toEqual(['healthy', 'healthy'])
  },
)

it('nodes that agree on an old block do not lag', async () => {
  const { first, open } = upstreams
  const chain = open([first.url, first.url])
  const polls = () => first.requests.filter(({ calls }) => calls.some(({ method }) => method === headPoll)).length
  const before = polls()
  await expect.poll(polls, eventually).toBeGreaterThan(before + 10)
  expect(chain.nodes.list().map(({ state }) => state)).toEqual(['healthy', 'healthy'])
  expect(chain.reports).toEqual([])
})

/** Makes the preferred nodes answer the newest block with one of an hour ago. */
function standStill(): void {
  const timestamp = `0x${(Math.floor(Date.now() / 1000) - 3600).toString(16)}`
  const result = { number: '0x1', hash: `0x${'a1'.repeat(32)}`, parentHash: `0x${'a0'.repeat(32)}`, timestamp }
  upstreams.answerCalls(upstreams.first, async (call, callNode) =>
    call.method === headPoll ? { id: call.id, result } : await callNode(call),
  )
  upstreams.socket.setAnswer((method, id) =>
    method === headPoll ? JSON.stringify({ jsonrpc: '2.0', id, result }) : undefined,
  )
}

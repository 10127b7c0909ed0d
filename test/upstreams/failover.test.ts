import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { breakOff, neverAnswer, text } from '../harness/answers.ts'
import { eventually } from '../harness/timeLimits.ts'
import { countReads, startUpstreams, type Upstreams } from './startUpstreams.ts'

// Every fault, the retries and their times are proven on a fake clock: packages/chain/src/selection/createFailover.test.ts.

let upstreams: Upstreams
beforeAll(async () => {
  upstreams = await startUpstreams()
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

it.each([
  ['breaks the connection', breakOff],
  ['responds with a web page', text('<html>Welcome</html>', 'text/html')],
  ['never answers', neverAnswer],
] as const)('a read goes to the second node, once, if the first %s', async (_, answer) => {
  const { first, second, open } = upstreams
  const { read } = open()
  await read()
  first.setAnswer(answer)
  const [sent, others] = [countReads(first), countReads(second)]
  await read()
  expect([countReads(first) - sent, countReads(second) - others]).toEqual([1, 1])
})

it('reads return to a node that was down once a probe has found it healthy', async () => {
  const { first, second, open } = upstreams
  const { read, reports, nodes } = open()
  await read()
  await first.close()
  // On a busy machine, the second node may time out too.
  const unavailable = { position: 1, state: 'unavailable', code: 'svc/upstream-unavailable' }
  await expect
    .poll(async () => (await read(), reports), eventually)
    .toContainEqual(expect.objectContaining(unavailable))
  const sent = first.requests.length
  await first.reopen()
  await expect.poll(() => nodes.list()[0]?.state, eventually).toBe('healthy')
  const probe = first.requests.slice(sent, sent + 2).flatMap(({ calls }) => calls.map(({ method }) => method))
  expect(probe.toSorted()).toEqual(['eth_chainId', 'eth_getBlockByNumber'])
  const [reads, others] = [countReads(first), countReads(second)]
  for (let count = 0; count < 5; count += 1) await read()
  expect([countReads(first) - reads, countReads(second) - others]).toEqual([5, 0])
})

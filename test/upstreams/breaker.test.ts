import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { breakOff } from '../harness/answers.ts'
import { eventually } from '../harness/timeLimits.ts'
import { codeOf, countReads, startUpstreams, type Upstreams } from './startUpstreams.ts'

// The circuit, its probes and their times are proven on a fake clock: packages/chain/src/selection/createRpc.test.ts.

let upstreams: Upstreams
beforeAll(async () => {
  upstreams = await startUpstreams()
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

it('a lone node that breaks the connection is ejected, gets probes only, and is used again after its recovery', async () => {
  const { first, open } = upstreams
  const chain = open([first.url])
  await chain.read()
  first.setAnswer(breakOff)
  const readState = async () => (await codeOf(chain.read()), chain.nodes.list()[0]?.state)
  await expect.poll(readState, eventually).toBe('unavailable')
  // The verification of the chain id may have opened the circuit while a read was about to be sent.
  const probes = () => first.requests.filter(({ calls }) => calls.some(({ method }) => method === 'eth_chainId')).length
  const seen = probes()
  await expect.poll(probes, eventually).toBeGreaterThan(seen)
  const sent = countReads(first)
  const codes = await Promise.all(Array.from({ length: 200 }, () => codeOf(chain.read())))
  expect(new Set(codes)).toEqual(new Set(['svc/upstream-unavailable']))
  expect(countReads(first)).toBe(sent)
  first.reset()
  await expect.poll(() => codeOf(chain.read()), eventually).toBe('ok')
  expect(chain.reports.map(({ state }) => state)).toEqual(['unavailable', 'healthy'])
})

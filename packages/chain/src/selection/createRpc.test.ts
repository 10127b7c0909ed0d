import { describe, expect, it } from 'vitest'
import type { Head } from '../head/Head.ts'
import { connectFakeNodes } from '../../test/connectFakeNodes.ts'
import {
  breakConnection,
  createFakeNode,
  hashOf,
  neverRespond,
  onlyFor,
  respondText,
  type Behaviour,
  type FakeNode,
} from '../../test/createFakeNode.ts'

const probeMethods = new Set(['eth_chainId', 'eth_getBlockByNumber'])

const isProbe = ({ calls }: FakeNode['requests'][number]) => calls.every(({ method }) => probeMethods.has(method))

/** Returns the times of the probes after a number of requests, in milliseconds from a moment. */
function probeTimes({ requests }: FakeNode, { after, fromMs }: { after: number; fromMs: number }): readonly number[] {
  const probes = requests.slice(after).filter(({ calls }) => calls.some(({ method }) => method === 'eth_chainId'))
  return probes.map(({ atMs }) => Math.floor((atMs - fromMs) / 20) * 20)
}

async function connectOne() {
  const node = createFakeNode()
  const connected = connectFakeNodes([node])
  await connected.read()
  /** Reads until the circuit of the node opens. */
  const open = async () => {
    const codes: string[] = []
    while (connected.states()[0] !== 'unavailable') codes.push((await connected.read()).code)
    const openedAtMs = performance.now()
    // The verification of the chain id may open the circuit while the read beside it is about to be sent.
    await connected.elapse(10)
    return { codes, openedAtMs }
  }
  return { node, open, ...connected }
}

async function connectTwo(findHead?: () => Head) {
  const [first, second] = [createFakeNode(), createFakeNode()]
  const connected = connectFakeNodes([first, second], findHead)
  await connected.read()
  return { first, second, ...connected }
}

const delayed: Behaviour = async ({ answer, respond }) => {
  await new Promise((resolve) => setTimeout(resolve, 50))
  return respond(answer())
}

const countReads = (node: FakeNode) => node.count('eth_getTransactionCount')

describe.each([
  ['breaks the connection', breakConnection, 'svc/upstream-unavailable', [500, 1500, 3500, 7500, 11_500]],
  ['responds with garbage', respondText('garbage'), 'svc/upstream-error', [500, 1500, 3500, 7500, 11_500]],
  // Delays count from the start of a probe, which takes four seconds here.
  ['never responds', neverRespond, 'svc/upstream-timeout', [500, 4500, 8500, 12_500]],
] as const)('a lone node that %s', (does, behaviour, code, probesMs) => {
  it(`the circuit of a lone node that ${does} opens, fails requests at once, and only sends probes`, async () => {
    const { node, open, readMany, elapse } = await connectOne()
    node.setBehaviour(behaviour)
    const { codes, openedAtMs: fromMs } = await open()
    expect(new Set(codes)).toEqual(new Set([code]))
    const after = node.requests.length
    const { result, tookMs } = await readMany(200)
    expect(new Set(result?.map((outcome) => outcome.code))).toEqual(new Set([code]))
    expect(tookMs).toBe(0)
    expect(node.requests.length).toBe(after)
    await elapse(15_000)
    expect(node.requests.slice(after).filter((request) => !isProbe(request))).toEqual([])
    expect(probeTimes(node, { after, fromMs })).toEqual(probesMs)
  })

  it(`a lone node that ${does} is used again within five seconds of its recovery`, async () => {
    const { node, open, read, states, elapse } = await connectOne()
    node.setBehaviour(behaviour)
    await open()
    // The delays between probes are at their longest by then, and the next probe is four seconds away.
    await elapse(60_000)
    const lastMs = node.requests.at(-1)?.atMs ?? 0
    await elapse(lastMs + 4020 - performance.now())
    node.reset()
    await elapse(5000)
    expect(states()).toEqual(['healthy'])
    expect((await read()).code).toBe('ok')
  })
})

it('a lone node is ejected after three time-outs', async () => {
  const { node, open } = await connectOne()
  node.setBehaviour(neverRespond)
  const sent = countReads(node)
  await open()
  expect(countReads(node) - sent).toBe(3)
})

it('concurrent requests that fail together count as one fault and open no circuit', async () => {
  const { node, read, readMany, reports } = await connectOne()
  node.setBehaviour(breakConnection)
  await readMany(50)
  node.reset()
  expect((await read()).code).toBe('ok')
  expect(reports).toEqual([])
})

it('a node with a healthy substitute is ejected after two faults, and gets no reads meanwhile', async () => {
  const { first, read, states } = await connectTwo()
  first.setBehaviour(breakConnection)
  for (let count = 0; count < 2; count += 1) await read()
  expect(states()).toEqual(['unavailable', 'healthy'])
  const sent = countReads(first)
  expect(sent).toBe(3)
  for (let count = 0; count < 20; count += 1) expect((await read()).code).toBe('ok')
  expect(countReads(first)).toBe(sent)
})

it('while all nodes are ejected, reads fail with the error of the most preferred one, and none is sent', async () => {
  const { first, second, read, states } = await connectTwo()
  first.setBehaviour(respondText('garbage'))
  while (states()[0] === 'healthy') await read()
  second.setBehaviour(breakConnection)
  while (states()[1] === 'healthy') await read()
  const sent = countReads(first) + countReads(second)
  expect((await read()).code).toBe('svc/upstream-error')
  expect(countReads(first) + countReads(second)).toBe(sent)
})

it('an open circuit fails requests with the error of the last probe', async () => {
  const { node, open, read, elapse } = await connectOne()
  node.setBehaviour(breakConnection)
  await open()
  expect((await read()).code).toBe('svc/upstream-unavailable')
  node.setBehaviour(respondText('garbage'))
  await elapse(510)
  expect((await read()).code).toBe('svc/upstream-error')
})

it('a node that lags gets no reads while another is healthy, and gets them while none is', async () => {
  const timestampSeconds = 1_000_060n
  const { first, second, read, states, elapse } = await connectTwo(() => ({
    number: 2n,
    hash: hashOf(2),
    timestampSeconds,
  }))
  second.setTimestamp(Number(timestampSeconds))
  first.setBehaviour(breakConnection)
  while (states()[0] === 'healthy') await read()
  first.reset()
  await elapse(510)
  expect(states()).toEqual(['lagging', 'healthy'])
  const sent = countReads(first)
  for (let count = 0; count < 5; count += 1) expect((await read()).code).toBe('ok')
  expect(countReads(first)).toBe(sent)
  second.setBehaviour(breakConnection)
  while (states()[1] === 'healthy') expect((await read()).code).toBe('ok')
  expect(countReads(first)).toBeGreaterThan(sent)
  second.reset()
  first.setTimestamp(Number(timestampSeconds))
  await elapse(5000)
  expect(states()).toEqual(['healthy', 'healthy'])
})

it('a stopped chain sends no probes', async () => {
  const { node, open, stop, elapse } = await connectOne()
  node.setBehaviour(breakConnection)
  await open()
  stop()
  const sent = node.requests.length
  await elapse(60_000)
  expect(node.requests.length).toBe(sent)
})

describe('a node that begins to serve another chain in use', () => {
  const message = 'Cannot read the chain: its node serves chain 421614, not chain 84532'

  it('the chain id is requested beside a read of the newest block, once in three seconds and with no other read', async () => {
    const { node, read, readHead, elapse } = await connectOne()
    const startedAtMs = performance.now()
    const count = () => node.count('eth_chainId')
    const before = count()
    for (let polls = 0; polls < 50; polls += 1) {
      await readHead()
      await read()
      await elapse(400)
    }
    const elapsedMs = performance.now() - startedAtMs
    expect(count() - before).toBeGreaterThanOrEqual(Math.floor(elapsedMs / 3400) - 1)
    expect(count() - before).toBeLessThanOrEqual(Math.ceil(elapsedMs / 3000))
  })

  it('no read waits for the verification of a node that is in use', async () => {
    const { node, read, readHead, elapse } = await connectOne()
    await elapse(3100)
    node.setBehaviour(onlyFor('eth_chainId', neverRespond))
    const head = readHead()
    expect(await read()).toMatchObject({ code: 'ok' })
    expect(await head).toMatchObject({ code: 'svc/upstream-timeout' })
  })

  it('a block that does not follow the known ones is returned only if the chain id remains ours', async () => {
    const node = createFakeNode()
    let mayBeOtherChain = false
    const settings = { mayBeOtherChain: () => mayBeOtherChain }
    const { readHead, states } = connectFakeNodes([node], undefined, settings)
    await readHead()
    const before = node.count('eth_chainId')
    expect((await readHead()).code).toBe('ok')
    expect(node.count('eth_chainId')).toBe(before)
    mayBeOtherChain = true
    expect((await readHead()).code).toBe('ok')
    expect(node.count('eth_chainId')).toBe(before + 1)
    node.setChainId(421_614)
    expect(await readHead()).toMatchObject({ message })
    expect(states()).toEqual(['wrong-chain'])
  })

  it('a read goes to the next node if the first is found to serve another chain while it is in flight', async () => {
    const { first, second, read, readHead, elapse } = await connectTwo()
    await elapse(3100)
    first.setChainId(421_614)
    first.setBehaviour(onlyFor('eth_getTransactionCount', delayed))
    const [late, head] = await Promise.all([read(), readHead()])
    expect([late.code, head.code]).toEqual(['ok', 'ok'])
    expect(countReads(second)).toBe(1)
  })
})

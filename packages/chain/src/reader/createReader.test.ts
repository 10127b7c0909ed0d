import { decodeFunctionData, encodeAbiParameters, encodeFunctionData, encodeFunctionResult, type Hex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { readerAbi } from '../abi/index.ts'
import { connectFakeNodes } from '../../test/connectFakeNodes.ts'
import { breakConnection, createFakeNode, replyTo, type FakeNode } from '../../test/createFakeNode.ts'
import { createReaderCalls } from './createReaderCalls.ts'

const pool = '0x00000000000000000000000000000000000000a1'
const marker = '0x066fbb4400306e39b6aaadd2e88e30de9ba9c3b0bab1a29e476d8c507aec0d0e'
const deployed = '0x00000000000000000000000000000000000000d1'
const data = encodeFunctionData({ abi: readerAbi, functionName: 'aggregate', args: [[{ target: pool, data: '0x' }]] })
const results = [{ success: true, data: '0x1234' }] as const

const proof = { marker, chainId: 84532n } as const
const genuine = encodeFunctionResult({ abi: readerAbi, functionName: 'aggregate', result: [proof, 7n, results] })

const resultType = [
  {
    type: 'tuple[]',
    components: [
      { type: 'bool', name: 'success' },
      { type: 'bytes', name: 'data' },
    ],
  },
]
const withoutProof = encodeAbiParameters([{ type: 'uint256' }, ...resultType], [7n, results])

const value = { timestampSeconds: 7n, items: results }

/** Connects to nodes that answer `eth_call` as the Reader contract does. */
function connect(count: number, calls = createReaderCalls({})) {
  const nodes = Array.from({ length: count }, createFakeNode)
  for (const node of nodes) answerCalls(node, genuine)
  const connected = connectFakeNodes(nodes, undefined, { createProbe: calls.createProbe })
  const readPools = () => connected.readProven(calls.create('aggregate', 1, { data, at: 'latest' }))
  return { ...connected, nodes: nodes as [FakeNode, FakeNode], readPools }
}

/** Answers the reader's calls with a result. Answers its probe, which makes no calls, with an empty result. */
function answerCalls(node: FakeNode, result: Hex): void {
  node.setBehaviour(
    replyTo('eth_call', ([call]) => {
      const { args } = decodeFunctionData({ abi: readerAbi, data: (call as { readonly data: Hex }).data })
      return { result: (args[0] as readonly unknown[]).length === 0 ? emptied(result) : result }
    }),
  )
}

function emptied(result: Hex): Hex {
  if (result !== genuine) return result
  return encodeFunctionResult({ abi: readerAbi, functionName: 'aggregate', result: [proof, 7n, []] })
}

const useless = [
  ['no bytes', { result: '0x' }],
  ['a truncated result', { result: genuine.slice(0, -64) }],
  ['a longer result', { result: `${genuine}${'0'.repeat(64)}` }],
  ['all ones', { result: `0x${'f'.repeat(genuine.length - 2)}` }],
  ['all zeros', { result: `0x${'0'.repeat(genuine.length - 2)}` }],
  ['a result without a proof', { result: withoutProof }],
  ['the result for no calls', { result: emptied(genuine) }],
  ['the time zero', { result: genuine.replace(/0{63}7/, '0'.repeat(64)) }],
  ['an empty revert', { error: { code: 3, message: 'execution reverted' } }],
  ['a revert under a general code', { error: { code: -32000, message: 'execution reverted' } }],
  ['a rejection of the state override', { error: { code: -32602, message: 'too many arguments, want at most 2' } }],
  ['a rejection by name', { error: { code: -32602, message: 'state override is not supported' } }],
  ['a lack of gas', { error: { code: -32000, message: 'out of gas' } }],
  ['a missing block', { error: { code: -32000, message: 'header not found' } }],
] as const

describe.each(useless)('a node that answers the reader with %s', (answer, outcome) => {
  it(`a read goes to the next node at once if the first answers with ${answer}`, async () => {
    const { nodes, readPools } = connect(2)
    nodes[0].setBehaviour(replyTo('eth_call', () => outcome))
    const { code, result, tookMs } = await readPools()
    expect({ code, result }).toEqual({ code: 'ok', result: value })
    expect(tookMs).toBeLessThan(10)
  })

  it(`${answer} of a lone node is svc/upstream-error, and other reads go on`, async () => {
    const { nodes, readPools, read } = connect(1)
    nodes[0].setBehaviour(replyTo('eth_call', () => outcome))
    for (let count = 0; count < 8; count += 1) expect((await readPools()).code).toBe('svc/upstream-error')
    expect((await read()).code).toBe('ok')
  })
})

it.each([
  ['lacks the block', 'header not found'],
  ['grants too little gas', 'out of gas'],
])('a node that %s stays healthy, and the read goes to the next', async (_, message) => {
  const { nodes, readPools, states } = connect(2)
  nodes[0].setBehaviour(replyTo('eth_call', () => ({ error: { code: -32000, message } })))
  for (let count = 0; count < 8; count += 1) expect((await readPools()).code).toBe('ok')
  expect(states()).toEqual(['healthy', 'healthy'])
})

it('a node with useless answers is used for nothing while another is healthy, and again once it answers the reader', async () => {
  const { nodes, readPools, read, states, reports, elapse } = connect(2)
  nodes[0].setBehaviour(replyTo('eth_call', () => ({ result: '0x' })))
  // Other requests succeed in between.
  for (let count = 0; count < 2; count += 1) expect([await readPools(), await read()]).toMatchObject([ok, ok])
  expect(states()).toEqual(['unproven', 'healthy'])
  expect(reports).toMatchObject([{ position: 1, state: 'unproven', code: 'svc/upstream-error' }])
  const sent = nodes[0].requests.length
  for (let count = 0; count < 5; count += 1) expect([await readPools(), await read()]).toMatchObject([ok, ok])
  expect(nodes[0].requests.length).toBe(sent)
  // Probes find its newest block, but no useful answer.
  await elapse(10_000)
  expect(states()).toEqual(['unproven', 'healthy'])
  answerCalls(nodes[0], genuine)
  await elapse(5000)
  expect(states()).toEqual(['healthy', 'healthy'])
})

const ok = { code: 'ok' }

it('a read is compared with the time of its block that was known when it began, not with a time that a node announces later', () => {
  const calls = createReaderCalls({})
  const hash = `0x${'b1'.repeat(32)}` as const
  calls.recordTime({ hash, timestampSeconds: 7n })
  const begun = calls.create('aggregate', 1, { data, at: hash })
  calls.recordTime({ hash, timestampSeconds: 47n })
  expect(begun.decode(genuine, {}).value).toEqual(value)
  expect(() => calls.create('aggregate', 1, { data, at: hash }).decode(genuine, {})).toThrow('of another block')
})

describe('a deployed reader whose results carry no proof', () => {
  function connectDeployed(count = 1) {
    const onLacksProof = vi.fn()
    return { onLacksProof, ...connect(count, createReaderCalls({ deployed, onLacksProof })) }
  }

  it('a result without a proof is not used if eth_chainId names another chain', async () => {
    const { nodes, readPools } = connectDeployed()
    answerCalls(nodes[0], withoutProof)
    await readPools()
    nodes[0].setChainId(421_614)
    expect(await readPools()).toMatchObject({ code: 'svc/upstream-error' })
  })

  it('a deployed reader with a proof needs no eth_chainId, and its results without one are not used from then on', async () => {
    const { nodes, readPools, onLacksProof } = connectDeployed()
    await readPools()
    const sent = nodes[0].count('eth_chainId')
    expect((await readPools()).code).toBe('ok')
    expect(nodes[0].count('eth_chainId')).toBe(sent)
    answerCalls(nodes[0], withoutProof)
    expect((await readPools()).code).toBe('svc/upstream-error')
    expect(onLacksProof).not.toHaveBeenCalled()
  })

  it('a proof that one node invents does not make the results of another node unusable', async () => {
    const { nodes, readPools, read, states } = connectDeployed(2)
    await readPools()
    answerCalls(nodes[1], withoutProof)
    nodes[0].setBehaviour(breakConnection)
    for (let count = 0; count < 3; count += 1) expect([await readPools(), await read()]).toMatchObject([ok, ok])
    expect(states()).toEqual(['unavailable', 'healthy'])
  })

  it('a proof that a node has invented once makes its results unusable for ten minutes', async () => {
    const { nodes, readPools, elapse } = connectDeployed()
    await readPools()
    answerCalls(nodes[0], withoutProof)
    expect((await readPools()).code).toBe('svc/upstream-error')
    await elapse(600_000)
    expect(await readPools()).toMatchObject({ code: 'ok', result: value })
  })
})

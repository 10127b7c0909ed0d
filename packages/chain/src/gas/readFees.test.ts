import { describe, expect, it } from 'vitest'
import { connectFakeNodes } from '../../test/connectFakeNodes.ts'
import { breakConnection, createFakeNode, neverRespond, replyTo, respondText } from '../../test/createFakeNode.ts'
import { readFees } from './readFees.ts'

const ceilings = { maxBaseFeeWei: 1000n, maxTipWei: 10_000_000n }

/** Connects to nodes that return these base fees of the next block, with these tips. */
function connect(histories: readonly { readonly baseFee: bigint; readonly tips?: readonly bigint[] }[]) {
  const nodes = histories.map(({ baseFee, tips = [] }) => {
    const node = createFakeNode()
    const baseFeePerGas = ['0x1', `0x${baseFee.toString(16)}`]
    const result = { baseFeePerGas, reward: tips.map((tip) => [`0x${tip.toString(16)}`]) }
    node.setBehaviour(replyTo('eth_feeHistory', () => ({ result })))
    return node
  })
  const { rpc, run, ...connected } = connectFakeNodes(nodes)
  return { ...connected, nodes, read: async () => await run(readFees({ rpc, feeCeilings: { get: () => ceilings } })) }
}

it('the fees are twice the next base fee, plus the median tip, which is at least a million wei', async () => {
  const fees = await connect([{ baseFee: 100n, tips: [3_000_000n, 1n, 2_000_000n] }]).read()
  expect(fees.result).toEqual({ maxPriorityFeePerGas: 2_000_000n, maxFeePerGas: 2_000_200n })
  const ofIdleChain = await connect([{ baseFee: 100n, tips: [0n] }]).read()
  expect(ofIdleChain.result).toEqual({ maxPriorityFeePerGas: 1_000_000n, maxFeePerGas: 1_000_200n })
})

describe('fees above their ceiling', () => {
  const lies = [
    ['a base fee of 7e15', { baseFee: 7n * 10n ** 15n }],
    ['a base fee of 2^255', { baseFee: 2n ** 255n }],
    ['a tip of 2^255', { baseFee: 100n, tips: [2n ** 255n] }],
  ] as const

  it.each(lies)('the next node is asked after %s, and the first node stays in use', async (_, lie) => {
    const { read, doubts, states } = connect([lie, { baseFee: 100n }])
    expect((await read()).result).toEqual({ maxPriorityFeePerGas: 1_000_000n, maxFeePerGas: 1_000_200n })
    expect(doubts).toEqual([{ subject: 'fees', position: 1 }])
    expect(states()).toEqual(['healthy', 'healthy'])
  })

  it('the ceiling counts if every node returns more, and each node is asked once', async () => {
    const { read, doubts, nodes } = connect([{ baseFee: 2n ** 255n, tips: [2n ** 255n] }, { baseFee: 1001n }])
    const expected = { maxPriorityFeePerGas: 10_000_000n, maxFeePerGas: 10_002_000n }
    expect((await read()).result).toEqual(expected)
    expect(doubts.map(({ position }) => position)).toEqual([1, 2])
    expect(nodes.map((node) => node.count('eth_feeHistory'))).toEqual([1, 1])
  })

  it('the ceiling counts if the next node does not answer', async () => {
    const { read, nodes } = connect([{ baseFee: 1001n }, { baseFee: 1n }])
    nodes[1]?.setBehaviour(breakConnection)
    expect((await read()).result).toEqual({ maxPriorityFeePerGas: 1_000_000n, maxFeePerGas: 1_002_000n })
  })
})

it.each([
  ['svc/upstream-timeout', neverRespond],
  ['svc/upstream-unavailable', breakConnection],
  ['svc/upstream-error', respondText('garbage')],
  ['svc/upstream-error', replyTo('eth_feeHistory', () => ({ result: { baseFeePerGas: ['100'] } }))],
  ['svc/upstream-error', replyTo('eth_feeHistory', () => ({ result: { baseFeePerGas: ['0x1'], reward: [['0x']] } }))],
])('a node that fails is %s', async (code, behaviour) => {
  const { read, nodes } = connect([{ baseFee: 1n }])
  nodes[0]?.setBehaviour(behaviour)
  expect((await read()).code).toBe(code)
})

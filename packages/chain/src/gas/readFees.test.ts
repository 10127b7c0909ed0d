import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { connectFakeNodes } from '../../test/connectFakeNodes.ts'
import { breakConnection, createFakeNode, replyTo } from '../../test/createFakeNode.ts'
import { createFeeCeilings } from './createFeeCeilings.ts'
import { readFees } from './readFees.ts'

/** The base fees of the newest block and of a history, and the tips of the history. */
type Behaviour = { readonly baseFee: bigint; readonly tips?: readonly bigint[] }

/** Connects to nodes that return these base fees of the next block, with these tips, after a block with a base fee. */
function connect(histories: readonly Behaviour[], newestBaseFee = 100_000_000n) {
  const nodes = histories.map(({ baseFee, tips = [] }) => {
    const node = createFakeNode()
    const baseFeePerGas = ['0x1', `0x${baseFee.toString(16)}`]
    const result = { baseFeePerGas, reward: tips.map((tip) => [`0x${tip.toString(16)}`]) }
    node.setBehaviour(replyTo('eth_feeHistory', () => ({ result })))
    return node
  })
  const { rpc, run, ...connected } = connectFakeNodes(nodes)
  const feeCeilings = createFeeCeilings(84532)
  let number = 0n
  const observe = (baseFeePerGas: bigint) =>
    feeCeilings.observe({
      number: ++number,
      hash: numberToHex(number, { size: 32 }),
      timestampSeconds: 0n,
      baseFeePerGas,
    })
  observe(newestBaseFee)
  return { ...connected, nodes, observe, read: async () => await run(readFees({ rpc, feeCeilings })) }
}

const expected = { maxPriorityFeePerGas: 1_000_000n, maxFeePerGas: 201_000_000n }
const honest = { baseFee: 100_000_000n }

it('the fees are twice the next base fee, plus the median tip, which is at least a million wei', async () => {
  const fees = await connect([{ ...honest, tips: [3_000_000n, 1n, 2_000_000n] }]).read()
  expect(fees.result).toEqual({ maxPriorityFeePerGas: 2_000_000n, maxFeePerGas: 202_000_000n })
  expect((await connect([{ ...honest, tips: [0n] }]).read()).result).toEqual(expected)
})

describe('fees outside their bounds', () => {
  const lies = [
    ['a base fee of 7e15', { baseFee: 7n * 10n ** 15n }],
    ['a base fee of 2^255', { baseFee: 2n ** 255n }],
    ['a base fee of 0', { baseFee: 0n }],
    ['a base fee of less than three quarters of the newest block', { baseFee: 74_999_999n }],
    ['a tip of 2^255', { ...honest, tips: [2n ** 255n] }],
    ['a tip of 10 gwei', { ...honest, tips: [10n ** 10n] }],
    ['a tip of more than 0.1 gwei', { ...honest, tips: [10n ** 8n + 1n] }],
  ] as const

  it.each(lies)('the next node is asked after %s, and the first node stays in use', async (_, lie) => {
    const { read, doubts, states } = connect([lie, honest])
    expect((await read()).result).toEqual(expected)
    expect(doubts).toEqual([{ subject: 'fees', position: 1 }])
    expect(states()).toEqual(['healthy', 'healthy'])
  })

  it('the ceilings count if every node returns more, and each node is asked once', async () => {
    const { read, doubts, nodes } = connect([
      { baseFee: 2n ** 255n, tips: [2n ** 255n] },
      { baseFee: 2n ** 200n, tips: [2n ** 200n] },
    ])
    expect((await read()).result).toEqual({ maxPriorityFeePerGas: 10n ** 10n, maxFeePerGas: 11_600_000_000n })
    expect(doubts.map(({ position }) => position)).toEqual([1, 2])
    expect(nodes.map((node) => node.count('eth_feeHistory'))).toEqual([1, 1])
  })

  it('the ceiling counts if the next node does not answer, and the floor if the base fee is too low', async () => {
    const { read, nodes } = connect([{ baseFee: 2n ** 255n }, honest])
    nodes[1]?.setBehaviour(breakConnection)
    expect((await read()).result).toEqual({ ...expected, maxFeePerGas: 1_601_000_000n })
    expect((await connect([{ baseFee: 0n }]).read()).result).toEqual({ ...expected, maxFeePerGas: 151_000_000n })
  })

  it.each([
    ['two nodes', 2],
    ['the only node', 1],
  ])(
    'a base fee and a tip that have jumped count if %s and the newest block agree, and are checked once',
    async (_, count) => {
      const jumped = { baseFee: 100_000_000_000n, tips: [1_000_000_000n] }
      const { read, observe, doubts } = connect([jumped, jumped].slice(0, count))
      observe(100_000_000_000n)
      for (let reading = 0; reading < 3; reading += 1)
        expect((await read()).result).toEqual({ maxPriorityFeePerGas: 1_000_000_000n, maxFeePerGas: 201_000_000_000n })
      // The only node has no other that could contradict it.
      expect(doubts).toHaveLength(count === 1 ? 0 : 2)
    },
  )
})

it('the next node is asked after a history without base fees, which is a fault of the first node', async () => {
  const { read, nodes, states } = connect([honest, honest])
  nodes[0]?.setBehaviour(replyTo('eth_feeHistory', () => ({ result: { baseFeePerGas: [], reward: [] } })))
  for (let reading = 0; reading < 2; reading += 1) expect((await read()).result).toEqual(expected)
  expect(states()).toEqual(['unavailable', 'healthy'])
})

it.each([[null], [[]], [[[]]], [[null]], [[[null]]], [[['-0x5f5e100']]], [[['0x']]], ['0x1']])(
  'a bad tip counts as zero: %j',
  async (reward) => {
    const { read, nodes, doubts, states } = connect([honest])
    const baseFeePerGas = [numberToHex(200_000_000n)]
    nodes[0]?.setBehaviour(replyTo('eth_feeHistory', () => ({ result: { baseFeePerGas, reward } })))
    expect((await read()).result).toEqual({ maxPriorityFeePerGas: 1_000_000n, maxFeePerGas: 401_000_000n })
    expect([doubts, states()]).toEqual([[], ['healthy']])
  },
)

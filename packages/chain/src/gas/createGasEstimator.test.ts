import { encodeErrorResult, numberToHex, parseAbi, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { connectFakeNodes } from '../../test/connectFakeNodes.ts'
import { createFakeNode, type Behaviour, type FakeNode } from '../../test/createFakeNode.ts'
import { createGasEstimator } from './createGasEstimator.ts'

const [from, to, token, otherToken] = [1, 2, 3, 4].map((value) => numberToHex(value, { size: 20 })) as [
  Hex,
  Hex,
  Hex,
  Hex,
]
const request = { transaction: { from, to, data: '0x' }, token, amountRaw: 1n } as const

const abi = parseAbi(['error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)'])

type Outcome =
  | { readonly result: string }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: Hex } }

// The value that a search of slots writes.
const marker = { result: numberToHex(0xa610n, { size: 32 }) }
const nothing = { result: numberToHex(0, { size: 32 }) }
const exceedsBalance = {
  error: {
    code: 3,
    message: 'execution reverted',
    data: encodeErrorResult({ abi, errorName: 'ERC20InsufficientBalance', args: [from, 0n, 1n] }),
  },
}
const refused = { error: { code: -32602, message: 'too many arguments' } }

/** Answers the search of the slots of tokens, and estimates with and without overrides. */
function answer({
  slots = marker,
  withOverrides = { result: '0x186a0' },
  plain = { result: '0x30d40' },
}: Answers): Behaviour {
  return ({ calls, answer: respondHealthy, respond }) => {
    const replies = respondHealthy()
    const toOutcome = ({ method, params = [] }: (typeof calls)[number]): object | undefined => {
      if (method === 'eth_estimateGas') return params.length > 1 ? withOverrides : plain
      return method === 'eth_call' ? slots : undefined
    }
    return respond(calls.map((call, index) => ({ ...replies[index], ...toReply(toOutcome(call)) })))
  }
}

type Answers = { readonly slots?: Outcome; readonly withOverrides?: Outcome; readonly plain?: Outcome }

function toReply(outcome: object | undefined): object {
  return outcome && 'error' in outcome ? { result: undefined, ...outcome } : { ...outcome }
}

async function connect(count: number) {
  const nodes = Array.from({ length: count }, createFakeNode)
  for (const node of nodes) node.setBehaviour(answer({}))
  const { rpc, run, elapse, doubts } = connectFakeNodes(nodes)
  const { estimate } = createGasEstimator(rpc)
  const [first] = nodes as [FakeNode]
  return {
    first,
    elapse,
    doubts,
    estimate: async (of = token) => (await run(estimate({ ...request, token: of }))).result,
  }
}

const asIf = { gas: 100_000n, source: 'estimate-as-if' }

it.each([
  ['0', '0x0'],
  ['20,999', '0x5207'],
  ['32,000,001', '0x1e84801'],
  ['2^52 - 1', '0xfffffffffffff'],
])('an estimate of %s gas is asked of the next node, and the first one is reported', async (_, result) => {
  const { first, estimate, doubts } = await connect(2)
  first.setBehaviour(answer({ withOverrides: { result }, plain: { result } }))
  expect(await estimate()).toEqual(asIf)
  expect(doubts).toEqual([{ subject: 'gas', position: 1 }])
})

it.each([
  ['21,000', '0x5208', 21_000n],
  ['32,000,000', '0x1e84800', 32_000_000n],
])('an estimate of %s gas counts', async (_, result, gas) => {
  const { first, estimate } = await connect(1)
  first.setBehaviour(answer({ withOverrides: { result } }))
  expect(await estimate()).toEqual({ gas, source: 'estimate-as-if' })
})

it('a method that all nodes refuse is tried again after ten minutes', async () => {
  const { first, elapse, estimate } = await connect(1)
  first.setBehaviour(answer({ withOverrides: refused }))
  const plain = { gas: 200_000n, source: 'estimate' }
  expect(await estimate()).toEqual(plain)
  first.setBehaviour(answer({}))
  await elapse(599_000)
  expect(await estimate()).toEqual(plain)
  await elapse(1000)
  expect(await estimate()).toEqual(asIf)
})

describe('a search of the slots of a token', () => {
  /** Returns how often a node was searched for slots. Balances and allowances have 18 candidates each. */
  function countSearches({ requests }: FakeNode): number {
    const isProbe = ({ method, params }: FakeNode['requests'][number]['calls'][number]) =>
      method === 'eth_call' && JSON.stringify(params).includes(marker.result)
    return requests.flatMap(({ calls }) => calls.filter(isProbe)).length / 36
  }

  it('slots that a node has invented are searched again after ten minutes', async () => {
    const { first, elapse, estimate } = await connect(1)
    first.setBehaviour(answer({ withOverrides: exceedsBalance }))
    expect(await estimate()).toMatchObject({ source: 'estimate' })
    await elapse(600_000)
    first.setBehaviour(answer({}))
    expect(await estimate()).toEqual(asIf)
    expect(countSearches(first)).toBe(2)
  })

  it.each<[string, Answers]>([
    ['a pool always reverts as if the balance were too small', { withOverrides: exceedsBalance }],
    ['the node refuses overrides in calls', { slots: refused }],
    ['no slot is found', { slots: nothing }],
  ])('the slots are searched once in ten minutes if %s', async (_, answers) => {
    const { first, elapse, estimate } = await connect(1)
    first.setBehaviour(answer(answers))
    for (let search = 1; search <= 2; search += 1) {
      for (let count = 0; count < 3; count += 1) await estimate()
      expect(countSearches(first)).toBe(search)
      await elapse(600_000)
    }
  })

  it('the slots are searched again at the next estimate if the node lacked the state, but not at each estimate', async () => {
    const { first, elapse, estimate } = await connect(1)
    first.setBehaviour(answer({ slots: { error: { code: -32000, message: 'header not found' } } }))
    for (let count = 0; count < 4; count += 1) expect(await estimate()).toMatchObject({ source: 'estimate' })
    // Each of the two searches asks a second time, since the node may have the block a moment later.
    expect(countSearches(first)).toBe(4)
    await elapse(600_000)
    expect(await estimate()).toMatchObject({ source: 'estimate' })
    first.setBehaviour(answer({}))
    expect(await estimate()).toEqual(asIf)
  })

  it('slots that work are kept', async () => {
    const { first, elapse, estimate } = await connect(1)
    for (let count = 0; count < 3; count += 1) {
      expect(await estimate()).toEqual(asIf)
      await elapse(600_000)
    }
    expect(countSearches(first)).toBe(1)
  })

  it('the estimates of other tokens keep their method while the slots of one token do not work', async () => {
    const { first, estimate } = await connect(1)
    first.setBehaviour(answer({ withOverrides: exceedsBalance }))
    expect(await estimate()).toMatchObject({ source: 'estimate' })
    first.setBehaviour(answer({}))
    expect(await estimate(otherToken)).toEqual(asIf)
  })
})

import { describe, expect, it } from 'vitest'
import type { Doubt } from '../health/createDoubts.ts'
import type { NodeState, UpstreamNode } from '../health/UpstreamNode.ts'
import { parseReceipt } from '../transaction/readReceipt.ts'
import { createWitnesses } from './createWitnesses.ts'
import type { MinedState, TrackedTransaction } from './trackTransaction.ts'

const hashOf = (digit: string) => `0x${digit.repeat(64)}` as const
const [hash, blockHash] = [hashOf('a'), hashOf('b')]
const block = { blockHash, blockNumber: '0x2' }
const fees = { gasUsed: '0x5208', effectiveGasPrice: '0x7', l1Fee: '0x9' }
const receipt = { status: '0x1', transactionHash: hash, ...block, ...fees, logs: [] }

/** What a node returns for the transaction and for the block at its number. */
type Answers = {
  readonly receipt?: object | null
  readonly block?: object | null
  /** The time of the block that contains the transaction; 0 by default. */
  readonly timestamp?: string
  /** Its last final block; the block of the transaction by default. */
  readonly final?: object | null
  readonly state?: NodeState
  readonly fails?: boolean
  /** Whether only the read of its last final block fails. */
  readonly failsFinal?: boolean
}

type Call = { readonly method: string; readonly params?: unknown }

const lastFinal = { number: '0x2' }
const agrees: Answers = { receipt }
const lacksBlock: Answers = {}

const trackAt = () => Promise.reject(new Error('No transaction is absent'))

function start(answers: readonly Answers[]) {
  const doubts: Doubt[] = []
  let [nowMs, reads] = [0, 0]
  const nodes = answers.map((each, index) => ({
    position: index + 1,
    state: () => each.state ?? 'healthy',
    isUsable: () => each.state !== 'unavailable',
    async read({ request: { method, params } }: { readonly request: Call }) {
      reads += 1
      const isFinal = Array.isArray(params) && params[0] === 'finalized'
      if (each.fails === true || (isFinal && each.failsFinal === true)) throw new Error('down')
      if (method === 'eth_getBlockByHash') return { number: '0x2', hash: blockHash, timestamp: each.timestamp ?? '0x0' }
      if (isFinal) return each.final === undefined ? lastFinal : each.final
      return (method === 'eth_getTransactionReceipt' ? each.receipt : each.block) ?? null
    },
  })) as unknown as readonly UpstreamNode[]
  const witnesses = createWitnesses({ nodes, doubts: { add: (doubt) => doubts.push(doubt) }, now: () => nowMs })
  return {
    doubts,
    countReads: () => reads,
    pass: (ms: number) => (nowMs += ms),
    isWithheld: () => witnesses.isWithheld(hash),
    async confirm(finality: MinedState['finality'] = 'finalized') {
      const block = { number: 2n, hash: blockHash, timestampSeconds: 0n }
      const mined = { status: 'mined', receipt: parseReceipt(receipt), block, finality } as const
      const tracked: TrackedTransaction = { state: mined, facts: undefined }
      const { state } = await witnesses.confirm(hash, tracked, trackAt)
      const { finality: reported, witnesses: count } = state as MinedState
      return count === undefined ? reported : `${reported} ${count}`
    },
  }
}

describe('the witnesses of a final receipt', () => {
  it('a receipt that two nodes have is final, and is not read again', async () => {
    const { confirm, countReads, pass } = start([agrees, agrees])
    expect(await confirm()).toBe('finalized 2')
    pass(60_000)
    expect(await confirm()).toBe('finalized 2')
    expect(countReads()).toBe(5)
  })

  it.each(['effectiveGasPrice', 'l1Fee'])('a second node that does not report %s agrees', async (name) => {
    const { confirm } = start([agrees, { receipt: { ...receipt, [name]: undefined } }])
    expect(await confirm()).toBe('finalized 2')
  })

  it('a lone node is believed, and a receipt that is not final needs no witness', async () => {
    const [alone, two] = [start([agrees]), start([agrees, agrees])]
    expect([await alone.confirm(), await two.confirm('safe'), await two.confirm('included')]).toEqual([
      'finalized',
      'safe',
      'included',
    ])
    expect([alone.countReads(), two.countReads()]).toEqual([0, 0])
  })

  const otherBlock = { number: '0x2', hash: hashOf('c'), transactions: [hash] }
  const emptyBlock = { number: '0x2', hash: blockHash, transactions: [] }

  it.each([
    ['a failure', { receipt: { ...receipt, status: '0x0' } }],
    ['another block', { receipt: { ...receipt, blockHash: hashOf('c') } }],
    ['other gas', { receipt: { ...receipt, gasUsed: '0x1' } }],
    ['another price of gas', { receipt: { ...receipt, effectiveGasPrice: '0x8' } }],
    ['another fee for its data', { receipt: { ...receipt, l1Fee: '0xa' } }],
    ['another time of its block', { receipt, timestamp: '0x1' }],
    ['another block at the number of its block', { block: otherBlock }],
    ['its block without the transaction', { block: emptyBlock }],
  ])('a receipt is never final while another node has %s, which is a disagreement', async (_, answers) => {
    const { confirm, doubts, pass } = start([agrees, answers])
    expect(await confirm()).toBe('safe')
    pass(700_000)
    expect(await confirm()).toBe('safe')
    expect(doubts).toEqual([
      { subject: 'receipt', position: 2 },
      { subject: 'receipt', position: 2 },
    ])
  })

  it.each([
    ['does not have its block', lacksBlock],
    ['has its block without an index of transactions', { block: { ...emptyBlock, transactions: [hash] } }],
    ['fails', { fails: true }],
    ['is not usable', { receipt, state: 'unavailable' as const }],
  ])('a receipt is final after ten minutes with one witness if the other node %s', async (_, answers) => {
    const { confirm, doubts, pass } = start([agrees, answers])
    expect(await confirm()).toBe('safe')
    pass(599_999)
    expect(await confirm()).toBe('safe')
    pass(1)
    expect(await confirm()).toBe('finalized 1')
    expect(doubts).toEqual([])
  })

  it.each([
    ['has the receipt', { receipt, final: { number: '0x1' } }],
    ['does not have its block', { final: { number: '0x1' } }],
  ])('a receipt is never final while another node has an earlier final block and %s', async (_, answers) => {
    const { confirm, doubts, pass } = start([agrees, answers])
    expect(await confirm()).toBe('safe')
    pass(700_000)
    expect(await confirm()).toBe('safe')
    expect(doubts).toEqual([])
  })

  it.each(['lagging', 'unproven'] as const)('a %s node has a vote, so it cannot be silenced', async (state) => {
    expect(await start([agrees, { receipt, state }]).confirm()).toBe('finalized 2')
    const { confirm, pass } = start([agrees, { block: otherBlock, state }])
    pass(700_000)
    expect(await confirm()).toBe('safe')
  })

  it('ten minutes without another vote count from the last vote of another node', async () => {
    const other: { -readonly [Name in keyof Answers]: Answers[Name] } = { final: { number: '0x1' } }
    const { confirm, pass } = start([agrees, other])
    await confirm()
    pass(700_000)
    await confirm()
    other.fails = true
    pass(599_999)
    expect(await confirm()).toBe('safe')
    pass(1)
    expect(await confirm()).toBe('finalized 1')
  })

  it('a lagging node whose last final block has not changed for ten minutes has no vote', async () => {
    const { confirm, pass } = start([agrees, { final: { number: '0x1' }, state: 'lagging' }])
    await confirm()
    for (let count = 0; count < 2; count += 1) {
      pass(599_999)
      expect(await confirm()).toBe('safe')
    }
    pass(1)
    expect(await confirm()).toBe('finalized 1')
  })

  it('a node whose last final block cannot be read has no vote', async () => {
    const { confirm } = start([agrees, { receipt, failsFinal: true }])
    expect(await confirm()).toBe('safe')
  })

  it('a transaction that is not final at another node stays withheld after ten minutes', async () => {
    const { confirm, isWithheld, pass } = start([agrees, { receipt, final: { number: '0x1' } }])
    await confirm()
    pass(700_000)
    await confirm()
    expect(isWithheld()).toBe(true)
  })

  it('a transaction is withheld between checks of its witnesses, which become rarer, and not once it may be final', async () => {
    const { confirm, countReads, isWithheld, pass } = start([agrees, { fails: true }])
    expect(isWithheld()).toBe(false)
    for (let seconds = 0; seconds < 599; seconds += 1) {
      await confirm()
      expect(isWithheld()).toBe(true)
      pass(1000)
    }
    // Every 2 s at first, and every 30 s after two minutes.
    expect(countReads() / 3).toBeLessThan(40)
    pass(1000)
    expect(isWithheld()).toBe(false)
    expect(await confirm()).toBe('finalized 1')
    const agreed = start([agrees, agrees])
    await agreed.confirm()
    expect(agreed.isWithheld()).toBe(false)
  })

  it('concurrent and frequent checks of a receipt without two witnesses read the nodes every two seconds at most', async () => {
    const { confirm, countReads, pass } = start([agrees, { fails: true }])
    for (let count = 0; count < 20; count += 1) {
      await confirm()
      pass(100)
    }
    expect(countReads()).toBe(3)
    await confirm()
    expect(countReads()).toBe(6)
  })
})

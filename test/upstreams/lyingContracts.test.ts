import type { Doubt } from '@agio/chain'
import { readerAbi } from '@agio/chain/abi'
import { decodeFunctionData, decodeFunctionResult, encodeFunctionResult, numberToHex, toFunctionSelector } from 'viem'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { listStateReads } from '../harness/stateReads.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startUpstreams, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
beforeAll(async () => {
  upstreams = await startUpstreams()
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

/** Opens the chain over nodes, and reads the pools. By default, no read of the pools is compared. */
async function open(urls?: readonly string[], settings = {}) {
  const doubts: Doubt[] = []
  const chain = upstreams.open(urls, { random: () => 1, onDoubt: (doubt: Doubt) => doubts.push(doubt), ...settings })
  await chain.pools.getSnapshot()
  const { client } = connectOwner(upstreams.chain)
  const { tAUD, tEUR } = upstreams.chain.tokens
  return {
    chain,
    doubts,
    findDecimals: () => [tAUD, tEUR].map((token) => chain.pools.getTokens().get(token)?.decimals),
    /** Mines a block, and reads the pools at this block. */
    async mine(): Promise<void> {
      await client.mine({ blocks: 1 })
      const { hash } = await client.getBlock()
      const readHash = async () => (await chain.pools.getSnapshot()).block.hash
      await expect.poll(readHash, eventually).toBe(hash)
    },
  }
}

const doubtOf = (position: number): Doubt => ({ subject: 'state', position })
const [zero, three] = [numberToHex(0, { size: 32 }), numberToHex(3, { size: 32 })]

describe('a first node that returns three decimals for a token', () => {
  const isDecimals = ({ target, data }: ContractCall) =>
    data === toFunctionSelector('decimals()') && target === upstreams.chain.tokens.tAUD
  const lie = () => lieAbout(upstreams.first, isDecimals, three)

  it('the pools of the token are refused until the nodes agree, and the other pools are served', async () => {
    lie()
    const { chain, doubts, findDecimals, mine } = await open()
    const { pools, unreadablePools } = await chain.pools.getSnapshot()
    expect([pools.length, unreadablePools]).toEqual([1, [upstreams.chain.pools['tAUD/tUSD']]])
    expect([findDecimals(), doubts]).toEqual([
      [undefined, 6],
      [doubtOf(1), doubtOf(2)],
    ])
    expect(chain.nodes.isSuspect()).toBe(true)
    await upstreams.reset()
    await expect.poll(findDecimals, eventually).toEqual([6, 6])
    await mine()
    expect((await chain.pools.getSnapshot()).pools).toHaveLength(2)
  })

  it('the decimals of two other nodes count', async () => {
    lie()
    const { doubts, findDecimals } = await open([upstreams.first.url, upstreams.second.url, upstreams.chain.rpcUrl])
    expect([findDecimals(), doubts]).toEqual([[6, 6], [doubtOf(1)]])
  })

  it('its decimals are read again once a second node answers that was down at the start', async () => {
    const { second } = upstreams
    lie()
    await second.close()
    const { chain, doubts, findDecimals, mine } = await open()
    expect([findDecimals(), doubts]).toEqual([[3, 6], []])
    await second.reopen()
    await expect.poll(() => chain.nodes.list().map(({ state }) => state), eventually).toEqual(['healthy', 'healthy'])
    await mine()
    await expect.poll(findDecimals, eventually).toEqual([undefined, 6])
    expect(doubts).toEqual([doubtOf(1), doubtOf(2)])
  })

  it('the decimals of a lone node count', async () => {
    lie()
    const { doubts, findDecimals } = await open([upstreams.first.url])
    expect([findDecimals(), doubts]).toEqual([[3, 6], []])
  })
})

it('the features of the router that a second node contradicts are refused until the nodes agree', async () => {
  const { chain, doubts } = await open()
  lieAbout(upstreams.first, ({ data }) => data.startsWith(toFunctionSelector('supportsInterface(bytes4)')), zero)
  const read = () => chain.conversions.getRouterFeatures()
  await expect(read()).rejects.toMatchObject({ code: 'svc/upstream-error' })
  expect(doubts).toEqual([doubtOf(1), doubtOf(2)])
  await upstreams.reset()
  expect(await read()).toMatchObject({ targetSwap: true, permit: true })
})

it('the metadata of tokens is read once from each node', async () => {
  const { first, second } = upstreams
  const [sent, others] = [first.requests.length, second.requests.length]
  const { chain, mine } = await open()
  for (let block = 0; block < 3; block += 1) await mine()
  await chain.conversions.getRouterFeatures()
  await chain.conversions.getRouterFeatures()
  const selector = toFunctionSelector('decimals()').slice(2)
  const countReads = ({ requests }: Proxy, after: number) =>
    requests.slice(after).filter(({ body }) => body.includes(selector)).length
  expect([countReads(first, sent), countReads(second, others)]).toEqual([1, 1])
})

describe('a first node whose prices are two percent too high', () => {
  // It answers everything truthfully but the reads that price conversions.
  const lie = () =>
    changeResults(upstreams.first, 'probedStates', (_, result) => {
      const [proof, timestamp, states] = decodeFunctionResult({
        abi: readerAbi,
        functionName: 'probedStates',
        data: result,
      })
      const changed = states.map(({ state: { basePrice, ...state }, curve }) => {
        const answer = (basePrice.answer * 102n) / 100n
        return { state: { ...state, basePrice: { ...basePrice, answer } }, curve }
      })
      return encodeFunctionResult({
        abi: readerAbi,
        functionName: 'probedStates',
        result: [proof, timestamp, changed],
      })
    })

  it('a read that is chosen for the comparison is a disagreement, and the first node gets no request for it', async () => {
    const { first, second } = upstreams
    lie()
    const [sent, others] = [first.requests.length, second.requests.length]
    const { chain, doubts } = await open(undefined, { random: () => 0 })
    await expect.poll(() => doubts, eventually).toEqual([doubtOf(1), doubtOf(2)])
    expect(chain.nodes.isSuspect()).toBe(true)
    const reads = listStateReads(first, sent)
    expect([reads.length, listStateReads(second, others)]).toEqual([1, reads])
  })

  it('the second node gets no request for a read that is not chosen', async () => {
    const others = upstreams.second.requests.length
    const { mine } = await open()
    await mine()
    expect(listStateReads(upstreams.second, others)).toEqual([])
  })
})

it('nodes that agree about the pools are compared at each block without a disagreement', async () => {
  const others = upstreams.second.requests.length
  const { doubts, mine } = await open(undefined, { random: () => 0 })
  for (let block = 0; block < 3; block += 1) await mine()
  await expect.poll(() => listStateReads(upstreams.second, others), eventually).toHaveLength(4)
  expect(doubts).toEqual([])
})

type ContractCall = { readonly target: string; readonly data: Hex }

/** Makes a node return a word for some of the calls that our Reader makes. */
function lieAbout(proxy: Proxy, isLie: (call: ContractCall) => boolean, word: Hex): void {
  changeResults(proxy, 'aggregate', (data, result) => {
    const [calls] = decodeFunctionData({ abi: readerAbi, data }).args as readonly [readonly ContractCall[]]
    const [proof, timestamp, results] = decodeFunctionResult({
      abi: readerAbi,
      functionName: 'aggregate',
      data: result,
    })
    const changed = calls.map((call, index) =>
      isLie(call) ? { success: true, data: word } : (results[index] ?? { success: false, data: '0x' as const }),
    )
    return encodeFunctionResult({ abi: readerAbi, functionName: 'aggregate', result: [proof, timestamp, changed] })
  })
}

/** Makes a node change the results of a function of our Reader. */
function changeResults(
  proxy: Proxy,
  functionName: 'aggregate' | 'probedStates',
  change: (data: Hex, result: Hex) => Hex,
): void {
  const selectors = readerAbi.filter(({ name }) => name === functionName).map((item) => toFunctionSelector(item))
  proxy.setAnswer(
    answerEachCall(upstreams.chain.rpcUrl, async (call, callNode) => {
      const reply = await callNode(call)
      const { data } = (call.method === 'eth_call' ? (call.params?.[0] ?? {}) : {}) as { readonly data?: Hex }
      const isChanged = data !== undefined && selectors.some((selector) => data.startsWith(selector))
      return isChanged && reply.result ? { ...reply, result: change(data, reply.result as Hex) } : reply
    }),
  )
}

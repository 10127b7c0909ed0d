import type { Doubt } from '@agio/chain'
import { numberToHex, toFunctionSelector, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Proxy } from '../harness/startProxy.ts'
import { listStateReads } from '../harness/stateReads.ts'
import { eventually } from '../harness/timeLimits.ts'
import { changeStates, lieAbout, type ContractCall } from './changeResults.ts'
import { openInUse } from './openInUse.ts'
import { useUpstreams, type OpenedChain } from './startUpstreams.ts'

const upstreams = useUpstreams()

/** Opens the chain over nodes, and reads the pools. By default, no read of the pools is compared. */
async function open(urls?: readonly string[], random = () => 1) {
  const opened = await openInUse(upstreams, urls, { random })
  const { tAUD, tEUR } = upstreams.chain.tokens
  const findDecimals = () => [tAUD, tEUR].map((token) => opened.chain.pools.getTokens().get(token)?.decimals)
  return { ...opened, findDecimals }
}

const doubtOf = (position: number): Doubt => ({ subject: 'state', position })
const [zero, three] = [numberToHex(0, { size: 32 }), numberToHex(3, { size: 32 })]

describe('a first node that returns three decimals for a token', () => {
  const isDecimals = ({ target, data }: ContractCall) =>
    data === toFunctionSelector('decimals()') && target === upstreams.chain.tokens.tAUD
  const lie = () => lieAbout(upstreams, isDecimals, three)

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
})

it('the features of the router that a second node contradicts are refused until the nodes agree', async () => {
  const { chain, doubts } = await open()
  lieAbout(upstreams, ({ data }) => data.startsWith(toFunctionSelector('supportsInterface(bytes4)')), zero)
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

it('a read that is chosen for the comparison is a disagreement, and the first node gets no request for it', async () => {
  const { first, second } = upstreams
  let randomNumber = 1
  const { chain, doubts, mine } = await open(undefined, () => randomNumber)
  // The first node answers everything truthfully but the reads that price conversions, two percent too high.
  changeStates(upstreams, ({ state: { basePrice, ...state }, curve }) => {
    const answer = (basePrice.answer * 102n) / 100n
    return { state: { ...state, basePrice: { ...basePrice, answer } }, curve }
  })
  randomNumber = 0
  const [sent, others] = [first.requests.length, second.requests.length]
  await mine()
  await expect.poll(() => doubts, eventually).toEqual([doubtOf(1), doubtOf(2)])
  expect(chain.nodes.isSuspect()).toBe(true)
  const reads = listStateReads(first, sent)
  expect([reads.length, listStateReads(second, others)]).toEqual([1, reads])
})

describe('a first node that says that a contract has no code', () => {
  const lieAboutPools = () =>
    changeStates(upstreams, ({ state, curve }) => ({ state: { ...state, codeHash: zeroHash }, curve }))
  const findPools = async (chain: OpenedChain) => {
    const { pools, unreadablePools } = await chain.pools.getSnapshot()
    return [pools.length, unreadablePools.length]
  }

  it.each([['from the start'], ['in use']])('pools without code are served by the second node (%s)', async (when) => {
    if (when === 'from the start') lieAboutPools()
    const { chain, doubts, mine } = await open()
    lieAboutPools()
    await mine()
    expect(await findPools(chain)).toEqual([2, 0])
    expect(doubts).toEqual([doubtOf(1), doubtOf(2)])
  })

  it('pools without code at two nodes, or at a lone node, are unreadable', async () => {
    lieAboutPools()
    const { first, chain, second } = upstreams
    const alone = upstreams.open([first.url])
    await expect(alone.pools.getSnapshot()).rejects.toMatchObject({ code: 'svc/upstream-error' })
    const agreed = upstreams.open([first.url, second.url, first.url])
    await expect(agreed.pools.getSnapshot()).rejects.toMatchObject({ code: 'svc/upstream-error' })
    expect(await findPools(upstreams.open([first.url, second.url, chain.rpcUrl]))).toEqual([2, 0])
  })

  it('the state counts that two other nodes return, not the state of a third node that answers later', async () => {
    const { first, second, chain: local } = upstreams
    lieAboutPools()
    const { pools: honest } = await upstreams.open([local.rpcUrl]).pools.getSnapshot()
    const urls = [first.url, second.url, local.rpcUrl, local.rpcUrl]
    changeStates(upstreams, ({ state, curve }) => ({ state: { ...state, baseReserve: 7n }, curve }), second)
    const { chain } = await open(urls)
    const { pools } = await chain.pools.getSnapshot()
    expect(pools.map(({ base }) => base.reserve)).toEqual(honest.map(({ base }) => base.reserve))
  })

  it('pools are unreadable while the other nodes return different states of them', async () => {
    lieAboutPools()
    const { first, second, chain } = upstreams
    changeStates(upstreams, ({ state, curve }) => ({ state: { ...state, baseReserve: 7n }, curve }), second)
    const opened = upstreams.open([first.url, second.url, chain.rpcUrl])
    await expect(opened.pools.getSnapshot()).rejects.toMatchObject({ code: 'svc/upstream-error' })
  })

  it('tokens without metadata are served by the second node', async () => {
    lieAbout(upstreams, ({ target }) => target === upstreams.chain.tokens.tAUD, '0x')
    const { chain, doubts, findDecimals } = await open()
    expect([findDecimals(), await findPools(chain)]).toEqual([
      [6, 6],
      [2, 0],
    ])
    expect(doubts).toEqual([doubtOf(1), doubtOf(2)])
  })

  it('features of a router without code are served by the second node', async () => {
    const { chain } = await open()
    lieAbout(upstreams, ({ target }) => target === upstreams.chain.deployment.router, '0x')
    expect(await chain.conversions.getRouterFeatures()).toMatchObject({ targetSwap: true, permit: true })
  })
})

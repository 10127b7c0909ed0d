import { beforeEach, describe, expect, it } from 'vitest'
import type { Step } from '../../../packages/sdk/src/index.ts'
import { setPrice } from '../../harness/movePrice.ts'
import { recordSteps } from '../recordSteps.ts'
import { setUp } from '../../harness/setUp.ts'
import { startSdkStack } from '../startSdkStack.ts'
import { createActor, rpcError, type Behaviour, type Request } from './createActor.ts'
import { createPage, paidBy, runThrough } from './runThrough.ts'
import { isRanged, isSearch, toRange, type Range } from './searches.ts'

const stack = setUp(startSdkStack)
// The tests let minutes pass, and a price is stale after an hour.
beforeEach(async () => {
  await setPrice(stack.chain, 'tAUD', 65_120_000n)
  await stack.pass(1)
})

// Reads after which the deadline passes.
const patience = 20

const packed: Behaviour = {
  account: 'code',
  isApproved: true,
  isPacked: true,
  delayReads: 0,
  answer: ({ opHash }) => opHash,
}
const deaf: Behaviour = { ...packed, forgets: () => true }
const mine = (blocks: number) => stack.client.mine({ blocks, interval: 0 })

describe('a node that limits eth_getLogs', () => {
  /** Answers a search of too many blocks as providers do. */
  const limitedTo =
    (blocks: number, [code, message]: readonly [number, string]): NonNullable<Behaviour['read']> =>
    async (args, pass) => {
      if (!isSearch(args)) return await pass()
      const { fromBlock, toBlock } = toRange(args)
      const head = Number(await stack.client.getBlockNumber({ cacheTime: 0 }))
      if ((Number.isNaN(toBlock) ? head : toBlock) - fromBlock >= blocks) throw rpcError(code, message)
      return await pass()
    }

  const limits = [
    [5, [-32614, 'eth_getLogs is limited to a 5 range']],
    [10, [-32600, 'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range']],
    [500, [-32602, 'query exceeds max block range 500']],
  ] as const
  it.each(limits)('to %i blocks is searched in pieces', async (blocks, error) => {
    const actor = await createActor(stack, {
      ...packed,
      answer: async ({ opHash }) => (await mine(6 * blocks), opHash),
      read: limitedTo(blocks, error),
    })
    expect((await runThrough(stack, actor, { patience })).outcome).toEqual(paidBy(1))
  })

  it('is searched up to one block after the deadline only, by a conversion that is resumed weeks later', async () => {
    const [blocks, idleBlocks] = [10, 2000]
    const actor = await createActor(stack, {
      ...deaf,
      forgets: (prompt) => prompt === 1,
      read: limitedTo(blocks, [-32600, 'up to a 10 block range']),
    })
    const onReload = async () => {
      await stack.pass(61)
      await mine(idleBlocks)
      await setPrice(stack.chain, 'tAUD', 65_120_000n)
    }
    const { outcome } = await runThrough(stack, actor, {
      reloadAt: ({ prompt }) => prompt === 1,
      onReload,
      patience: 400,
    })
    expect(outcome).toMatchObject({ code: 'success', payments: 1, prompts: 2 })
    expect(actor.reads.filter(isSearch).length).toBeLessThan(idleBlocks / blocks / 2)
  })

  it('is searched by a resumed conversion from 64 blocks before the last searched block', async () => {
    const actor = await createActor(stack, { ...deaf, answer: async ({ opHash }) => (await mine(200), opHash) })
    const quote = await stack.agio.quote({ ...stack.request, validForSeconds: 600 })
    const steps: Step[] = []
    /** Converts in a new page until the newest block is searched. Returns the searches. */
    async function search(from?: Step): Promise<readonly Range[]> {
      const page = new AbortController()
      const before = actor.reads.length
      const listSearches = () => actor.reads.slice(before).filter(isSearch).map(toRange)
      actor.onRead = async () => {
        const newest = Number(await stack.client.getBlockNumber({ cacheTime: 0 }))
        const isRead = actor.prompts.length > 0 && !isSearch(actor.reads.at(-1) as Request)
        if (isRead && listSearches().some(({ toBlock }) => toBlock >= newest)) page.abort()
      }
      const onStep = (step: Step) => void steps.push(step)
      const options = { wallet: actor.wallet, signal: page.signal, onStep }
      const agio = createPage(stack, actor)
      await recordSteps(from ? agio.resume(from, options) : agio.convert({ quote, ...options }))
      return listSearches()
    }
    const searched = Math.max(...(await search()).map(({ toBlock }) => toBlock))
    await mine(100)
    const [first] = await search(steps.at(-1))
    expect(first?.fromBlock).toBeGreaterThanOrEqual(searched - 64)
    expect(first?.fromBlock).toBeLessThanOrEqual(searched + 1 - 64)
  })

  it.each([
    ['an error', () => Promise.reject(rpcError(-32000, 'block range extends beyond current head block'))],
    ['no transfers', async () => []],
  ])('that lags behind its head and answers with %s proves nothing', async (_, answer) => {
    let lag = 3
    const read: Behaviour['read'] = (args, pass) => (isSearch(args) && lag-- > 0 ? answer() : pass())
    const actor = await createActor(stack, { ...packed, read })
    expect((await runThrough(stack, actor, { patience })).outcome).toEqual(paidBy(1))
  })

  it('whose index of logs is 100 blocks behind its head proves nothing until it has the blocks', async () => {
    let [paidAt, late] = [Number.POSITIVE_INFINITY, 0]
    const actor = await createActor(stack, {
      ...packed,
      answer: async ({ opHash }) => {
        paidAt = Number((await stack.client.getBlock()).timestamp)
        await mine(100)
        return opHash
      },
      async read(args, pass) {
        if (!isRanged(args) || paidAt === Number.POSITIVE_INFINITY) return await pass()
        // It catches up some searches after the deadline.
        if (Number((await stack.client.getBlock()).timestamp) > paidAt + 60) late++
        return late > 3 ? await pass() : []
      },
    })
    expect((await runThrough(stack, actor, { patience })).outcome).toEqual(paidBy(1))
  })
})

it.each([
  ['the conversion', { account: 'code', isApproved: true }, 'shortest'],
  ['an approval', { account: 'safe' }, 'approve'],
] as const)('a node that fails for the id of a proposal of %s does not hide it', async (_, behaviour, approval) => {
  const read: Behaviour['read'] = async ({ method }, pass) => {
    const found = await pass()
    if (method === 'eth_getTransactionByHash' && found === null) throw rpcError(-32000, 'transaction not found')
    return found
  }
  const actor = await createActor(stack, { ...behaviour, delayReads: 12, answer: ({ opHash }) => opHash, read })
  const { outcome } = await runThrough(stack, actor, { approval })
  expect(outcome).toEqual(paidBy(approval === 'approve' ? 2 : 1))
})

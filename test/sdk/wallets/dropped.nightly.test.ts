import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Step } from '../../../packages/sdk/src/index.ts'
import { setPrice } from '../../harness/movePrice.ts'
import { recipient } from '../../harness/walletRequests.ts'
import { setUp } from '../../harness/setUp.ts'
import { createTamperingFetch, toErrorAnswer, type Change } from '../hostile/createTamperingFetch.ts'
import { moveClock } from '../moveClock.ts'
import { recordSteps } from '../recordSteps.ts'
import { startSdkStack } from '../startSdkStack.ts'
import { createActor, rpcError, type Actor, type Behaviour } from './createActor.ts'
import { createPage, paidBy, runThrough } from './runThrough.ts'
import { isSearch, toRange } from './searches.ts'

const stack = setUp(startSdkStack)
// The tests let minutes pass, and a price is stale after an hour.
beforeEach(async () => {
  await setPrice(stack.chain, 'tAUD', 65_120_000n)
  await stack.pass(1)
})

// Reads after which the deadline passes.
const patience = 20

const later: Behaviour = { account: 'code', isApproved: true, delayReads: 12, answer: ({ opHash }) => opHash }
const deaf: Behaviour = { ...later, forgets: () => true }
const packed: Behaviour = { ...later, isPacked: true }

const dropped = { code: 'convert/dropped', isSettled: true, payments: 0, prompts: 1, resumes: 0 }

const mine = (blocks: number) => stack.client.mine({ blocks, interval: 0 })

/** Builds the same conversion again, as another client of the account would. */
async function buildTwin(actor: Actor, tag: string, amountIn = '10') {
  const quote = await stack.agio.quote({ ...stack.request, amountIn } as typeof stack.request)
  const input = { quote: quote.quote, userAddress: actor.address }
  const { to, data } = (await stack.agio.api.transaction.buildConvert.query(input)).transaction
  return { target: to, data: `${data}${tag}` as Hex }
}

describe('a conversion that the wallet never sends', () => {
  it.each(['code', 'counterfactual', 'key'] as const)(
    'error: convert/dropped once all blocks up to one after the deadline are searched, from an account of the kind %s',
    async (account) => {
      const actor = await createActor(stack, { ...deaf, account })
      const verdict = await runThrough(stack, actor, { patience })
      expect(verdict.outcome).toEqual(dropped)
      const { quote, pending } = verdict.steps.findLast(({ state }) => state.pending)?.state ?? {}
      let searched = pending?.fromBlock ?? 0
      for (const { fromBlock, toBlock } of actor.reads.filter(isSearch).map(toRange)) {
        expect(fromBlock).toBeLessThanOrEqual(searched + 1)
        searched = Math.max(searched, toBlock)
      }
      const { timestamp } = await stack.client.getBlock({ blockNumber: BigInt(searched) })
      expect(Number(timestamp) * 1000).toBeGreaterThan(Date.parse(quote?.expiresAt ?? ''))
    },
  )

  const notOurs: readonly (readonly [string, (actor: Actor) => Promise<Hex>])[] = [
    [
      'another conversion by its tag',
      async (actor) => actor.execute([await buildTwin(actor, '0b0b0b0b0b0b4b0b8b0b0b0b0b0b0b0b')]),
    ],
    ['a conversion of another amount', async (actor) => actor.execute([await buildTwin(actor, '', '20')])],
    [
      'a transfer of the same amount',
      (actor) => {
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 10_000_000n] })
        return actor.execute([{ target: stack.chain.tokens.tAUD, data }])
      },
    ],
  ]
  it.each(notOurs)('error: convert/dropped although the account made %s meanwhile', async (_, pay) => {
    const others: Hex[] = []
    const actor = await createActor(stack, {
      ...deaf,
      answer: async ({ opHash }) => (others.push(await pay(actor)), opHash),
    })
    expect((await runThrough(stack, actor, { others, patience })).outcome).toEqual(dropped)
  })

  it('is not replaced because the service says so while a queue holds it: no node has shown its nonce', async () => {
    const others: Hex[] = []
    const actor = await createActor(stack, {
      account: 'key',
      isApproved: true,
      delayReads: 40,
      answer: async ({ opHash }) => {
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 1n] })
        others.push(await actor.execute([{ target: stack.chain.tokens.tAUD, data }]))
        return opHash
      },
    })
    const track: Change = (_, { input }) => ({
      result: {
        data: {
          ...(input as object),
          from: actor.address,
          status: 'replaced',
          replacement: { kind: 'other', transactionHash: others[0], finality: 'included' },
        },
      },
    })
    const fetch = createTamperingFetch({ 'transaction.track': track })
    expect((await runThrough(stack, actor, { others, fetch })).outcome).toEqual(paidBy(1))
  })

  it('is not replaced because the wallet names another pending transaction, which is replaced', async () => {
    const { client } = stack
    let reads = 0
    const send = async ({ address: account }: Actor, tip: bigint) => {
      await client.impersonateAccount({ address: account })
      const fees = { maxFeePerGas: tip * 100n, maxPriorityFeePerGas: tip }
      return await client.sendTransaction({ account, to: recipient, nonce: 1, gas: 30_000n, chain: null, ...fees })
    }
    const actor = await createActor(stack, {
      account: 'key',
      isApproved: true,
      delayReads: 40,
      answer: async () => (await client.setAutomine(false), await send(actor, 10n ** 9n)),
      async read(_, pass, self) {
        if (!self.isHolding() || ++reads !== 20) return await pass()
        await send(self, 10n ** 10n)
        await mine(1)
        await client.setAutomine(true)
        return await pass()
      },
    })
    expect((await runThrough(stack, actor)).outcome).toEqual(paidBy(1))
  })

  it('is not dropped while its transfers cannot be read, and is not asked for again', async () => {
    using clock = moveClock()
    const read: Behaviour['read'] = ({ method }, pass) => {
      clock.pass(10_000)
      if (method === 'eth_getLogs') throw rpcError(-32601, 'the method eth_getLogs does not exist')
      return pass()
    }
    const actor = await createActor(stack, { ...deaf, read })
    const { outcome } = await runThrough(stack, actor, { patience })
    expect(outcome).toMatchObject({
      isSettled: false,
      code: expect.not.stringMatching('dropped') as string,
      prompts: 1,
    })
  })
})

describe('a reorganisation that moves a payment below the block of the request', () => {
  /** Pays, converts, and returns to the block before the first payment once the wallet has the request. */
  async function convertAcross(behaviour: Behaviour, payBefore: (actor: Actor) => Promise<() => Promise<unknown>>) {
    let reorganise = async () => {}
    let isShorter = false
    const answer: Behaviour['answer'] = async ({ opHash }) => (await reorganise(), opHash)
    const actor = await createActor(stack, { ...behaviour, answer })
    actor.onRead = async (count) => {
      if (isShorter && !actor.isHolding()) await mine(9)
      isShorter &&= actor.isHolding()
      if (actor.prompts.length > 0 && count % 60 === 0) await stack.pass(61)
    }
    const pay = await payBefore(actor)
    const id = await stack.client.snapshot()
    const before = await pay()
    await mine(5)
    reorganise = async () => {
      await stack.client.revert({ id })
      expect(await pay()).toBe(before)
      isShorter = true
    }
    const quote = await stack.agio.quote(stack.request)
    return await recordSteps(createPage(stack, actor).convert({ quote, wallet: actor.wallet }))
  }

  it.each([
    ['with its id', later],
    ['with packed calldata', packed],
  ])('does not hide it: a payment %s', async (_, behaviour) => {
    const { error, receipt } = await convertAcross(behaviour, async () => async () => {})
    expect([error, receipt?.amountIn]).toEqual([undefined, '10.000000'])
  })

  it('does not make an equal payment before the request the conversion', async () => {
    const { error } = await convertAcross({ ...packed, forgets: () => true }, async (actor) => {
      const twin = await buildTwin(actor, '')
      return () => actor.execute([twin])
    })
    expect(error).toMatchObject({ code: 'convert/dropped' })
  })
})

describe('a payment with packed calldata', () => {
  it.each(['svc/quote-mismatch', 'svc/not-a-conversion'])(
    'is the conversion, whatever the service says: %s',
    async (code) => {
      const actor = await createActor(stack, packed)
      const fetch = createTamperingFetch({ 'convert.receipt': () => toErrorAnswer(code) })
      expect((await runThrough(stack, actor, { fetch, patience })).outcome).toEqual(paidBy(1))
    },
  )

  it('is unknown beside an equal one: the conversion is neither dropped nor done, and is not asked for again', async () => {
    using clock = moveClock()
    const others: Hex[] = []
    const actor = await createActor(stack, {
      ...packed,
      delayReads: 0,
      answer: async ({ opHash, hash }) => {
        others.push(hash as Hex, await actor.execute([await buildTwin(actor, '')]))
        return opHash
      },
      read: (_, pass) => (clock.pass(1000), pass()),
    })
    const { outcome, steps } = await runThrough(stack, actor, { others, patience })
    expect(outcome).toMatchObject({ isSettled: false, payments: 0, prompts: 1 })
    // Both are known to the page that comes back after more blocks than a reorganisation can move.
    await mine(200)
    const { error } = await recordSteps(createPage(stack, actor).resume(steps.at(-1) as Step, { wallet: actor.wallet }))
    expect(error).toMatchObject({ code: 'wallet/failed', action: 'resume' })
  })
})

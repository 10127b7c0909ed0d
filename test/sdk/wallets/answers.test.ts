import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { partOf } from '../../harness/partOf.ts'
import { setUp } from '../../harness/setUp.ts'
import { startSdkStack } from '../startSdkStack.ts'
import { createActor, rpcError, type Behaviour, type Sent } from './createActor.ts'
import { createPage, paidBy, runThrough } from './runThrough.ts'

const stack = setUp(startSdkStack)

const never = () => new Promise<never>(() => {})
const delayReads = 12

describe('a wallet that answers a request for a transaction with', () => {
  const answers: readonly (readonly [string, (sent: Sent) => unknown])[] = [
    ['the hash of a proposal or of a user operation', ({ opHash }) => opHash],
    ['a UUID', () => crypto.randomUUID()],
    ['a number', () => 17],
    ['nothing', () => undefined],
  ]
  it.each(partOf(answers, 3))('%s pays once, by what another account sends later', async (_, answer) => {
    const actor = await createActor(stack, { account: 'code', isApproved: true, delayReads, answer })
    expect((await runThrough(stack, actor)).outcome).toEqual(paidBy(1))
  })
})

describe('a batch that is paid and that the wallet describes by', () => {
  const receipt = (hash: Hex) => ({ transactionHash: hash, status: '0x1' })
  const opHash = `0x${'0b'.repeat(32)}` as const
  const forms: readonly (readonly [string, (hash: Hex) => unknown])[] = [
    ['200 with its receipt', (hash) => ({ status: 200, receipts: [receipt(hash)] })],
    ['200 with no receipts', () => ({ status: 200, receipts: [] })],
    ['200 with the receipt of a user operation', () => ({ status: 200, receipts: [receipt(opHash)] })],
    ['CONFIRMED without receipts', () => ({ status: 'CONFIRMED' })],
    ['a nested status', (hash) => ({ status: { code: 200, receipts: [receipt(hash)] } })],
    ['500', () => ({ status: 500, receipts: [] })],
    ['400', () => ({ status: 400 })],
    ['a pending status for ever', () => ({ status: 100 })],
    ['no answer', never],
    ['an error with a code of a refusal', () => Promise.reject(rpcError(4001, 'The wallet is locked'))],
  ]
  it.each(partOf(forms, 4))('%s is paid once', async (_, form) => {
    const answer = ({ batchId }: Sent) => ({ id: batchId })
    const status = (hash: Hex | undefined) => (hash ? form(hash) : { status: 100 })
    const actor = await createActor(stack, { account: 'code', answer, status })
    expect((await runThrough(stack, actor)).outcome).toEqual(paidBy(1))
  })
})

describe('a wallet that never answers', () => {
  const silent: Behaviour = { account: 'key', isApproved: true, answer: never }

  it('holds the next conversion of the token up only until the chain has the first', async () => {
    const actor = await createActor(stack, silent)
    const agio = createPage(stack, actor)
    const [first, second] = [await agio.quote(stack.request), await agio.quote(stack.request)]
    const receipts = await Promise.all([first, second].map((quote) => agio.convert({ quote, wallet: actor.wallet })))
    expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(2)
    expect(actor.prompts).toHaveLength(2)
  })

  it('error: convert/dropped at the deadline if it sends nothing, and the prompt that is still open pays nothing', async () => {
    const actor = await createActor(stack, { ...silent, delayReads: 1000 })
    const { outcome } = await runThrough(stack, actor, { patience: 20 })
    expect(outcome).toMatchObject({ code: 'convert/dropped', isSettled: true, payments: 0, prompts: 1 })
  })
})

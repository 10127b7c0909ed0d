import { pushPrices } from '@agio/localnet'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { expect, it } from 'vitest'
import { moveClock } from '../moveClock.ts'
import { startSdkStack } from '../startSdkStack.ts'
import { createActor, type Actor, type Behaviour } from './createActor.ts'
import { paidBy, runThrough } from './runThrough.ts'
import { setUp } from '../../harness/setUp.ts'

const stack = setUp(startSdkStack)

const safe: Behaviour = { account: 'safe', delayReads: 40, answer: ({ opHash }) => opHash }

/** Sets an allowance of the router as the account does, without a prompt. */
const approve = (actor: Actor, symbol: 'tAUD' | 'tEUR', amountRaw: bigint) => {
  const args = [stack.chain.deployment.router, amountRaw] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  return actor.execute([{ target: stack.chain.tokens[symbol], data }])
}

/** Converts by an approval. Returns how it ended, and how often the quote was renewed. */
async function convertByApproval(actor: Actor, options: Parameters<typeof runThrough>[2] = {}) {
  const { outcome, steps } = await runThrough(stack, actor, { approval: 'approve', patience: 1000, ...options })
  const renewals = steps.filter((step) => step.kind === 'quote' && step.status === 'done' && step.isRequote).length
  return { outcome, renewals, steps }
}

it('an approval that waits for another signer is proposed once, has a step for the wait, and renews the quote once', async () => {
  using clock = moveClock()
  const read: Behaviour['read'] = (_, pass, { prompts, isHolding }) => {
    if (prompts.length === 1 && isHolding()) clock.pass(15_000)
    return pass()
  }
  const { outcome, renewals, steps } = await convertByApproval(await createActor(stack, { ...safe, read }))
  expect({ ...outcome, renewals }).toEqual({ ...paidBy(2), renewals: 1 })
  expect(steps.map(({ kind, status }) => `${kind} ${status}`)).toContain('approve waiting-for-signers')
})

it('a reset and an approval are each proposed once, and are done by the allowance', async () => {
  const actor = await createActor(stack, { ...safe, delayReads: 12 })
  await approve(actor, 'tEUR', 1n)
  const { tEUR: tokenIn } = stack.chain.tokens
  const { outcome } = await convertByApproval(actor, { request: { ...stack.request, tokenIn } })
  expect(outcome).toEqual(paidBy(3))
})

it.each(['code', 'key'] as const)(
  'an approval is done by an allowance that others set, from an account of the kind %s',
  async (account) => {
    let reads = 0
    const actor = await createActor(stack, {
      account,
      forgets: (prompt) => prompt === 1,
      answer: ({ opHash, hash }) => hash ?? opHash,
      async read(_, pass, self) {
        if (self.prompts.length === 1 && ++reads === 12) await approve(self, 'tAUD', maxUint256)
        return await pass()
      },
    })
    const { outcome } = await convertByApproval(actor)
    expect(outcome).toEqual(paidBy(2))
  },
)

it('the SDK requests an approval with an unknown hash once if it is mined after a minute', async () => {
  using clock = moveClock()
  const actor = await createActor(stack, {
    account: 'key',
    delayReads: 40,
    answer: ({ opHash }) => opHash,
    read(_, pass, { prompts }) {
      if (prompts.length === 1) clock.pass(2000)
      return pass()
    },
  })
  const { outcome } = await convertByApproval(actor)
  expect(outcome).toEqual(paidBy(2))
})

it('an approval that was given up is waited for on another day, and is not proposed again', async () => {
  const actor = await createActor(stack, safe)
  const onReload = async () => {
    await stack.pass(86_400)
    await pushPrices(stack.chain)
    await stack.pass(1)
  }
  // The fourth step, `approve` `sent`, follows the answer of the wallet.
  const { outcome, renewals } = await convertByApproval(actor, { reloadAt: ({ step }) => step === 4, onReload })
  expect({ ...outcome, renewals }).toEqual({ ...paidBy(2), renewals: 1 })
})

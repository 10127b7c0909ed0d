import { encodeFunctionData, erc20Abi } from 'viem'
import { expect, it } from 'vitest'
import { recipient } from '../../harness/walletRequests.ts'
import { setUp } from '../../harness/setUp.ts'
import { moveClock } from '../moveClock.ts'
import { recordSteps } from '../recordSteps.ts'
import { startSdkStack } from '../startSdkStack.ts'
import { createActor, type Behaviour } from './createActor.ts'
import { createPage, paidBy, runThrough } from './runThrough.ts'

const stack = setUp(startSdkStack)

const url = 'https://paymaster.example/secret'
const capabilities = { paymasterService: { url, context: { policyId: 'p' } } }
const status: Behaviour['status'] = (hash) => ({ status: 200, receipts: [{ transactionHash: hash }] })

it.each([
  ['is sent as optional to a wallet that reports it', { paymasterService: { supported: true } }, true],
  ['is not sent to a wallet that reports nothing', {}, false],
  ['is not sent to a wallet that reports no support', { paymasterService: { supported: false } }, false],
])('a paymaster of the application %s, and is in no step', async (_, reported, isSent) => {
  const actor = await createActor(stack, { account: 'code', status, capabilities: reported })
  const { outcome, steps } = await runThrough(stack, actor, { capabilities })
  expect(outcome).toEqual(paidBy(1))
  const optional = { ...capabilities.paymasterService, optional: true }
  const [batch] = actor.prompts.flatMap(({ params }) => params as readonly { readonly capabilities?: object }[])
  expect(batch?.capabilities).toEqual(isSent ? { paymasterService: optional } : undefined)
  expect(JSON.stringify(steps)).not.toContain('paymaster')
})

it('a fee that a paymaster takes in the input token is not part of what the conversion paid', async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 25_000n] })
  const extraCall = { target: stack.chain.tokens.tAUD, data }
  const actor = await createActor(stack, { account: 'code', status, extraCall })
  const { steps, receipt } = await recordSteps(
    createPage(stack, actor).convert({ quote: await stack.agio.quote(stack.request), wallet: actor.wallet }),
  )
  expect(receipt?.amountIn).toBe('10.000000')
  expect(steps.filter((step) => step.status === 'warning')).toEqual([])
})

it('error: TypeError at once for a paymaster without TLS', async () => {
  const { wallet } = await createActor(stack, { account: 'code', status })
  const quote = await stack.agio.quote(stack.request)
  const insecure = { paymasterService: { url: 'http://paymaster.example' } }
  expect(() => stack.agio.convert({ quote, wallet, capabilities: insecure })).toThrow(TypeError)
})

it('a receipt that stays null although the transaction has a block is told once after a minute', async () => {
  using clock = moveClock()
  let asked = 0
  const actor = await createActor(stack, {
    account: 'key',
    isApproved: true,
    read({ method }, pass) {
      if (method !== 'eth_getTransactionReceipt' || ++asked > 8) return pass()
      clock.pass(15_000)
      return null
    },
  })
  const { outcome, steps } = await runThrough(stack, actor, { patience: 1000 })
  const warnings = steps.filter((step) => step.status === 'warning')
  expect({ ...outcome, warnings }).toMatchObject({ ...paidBy(1), warnings: [{ kind: 'confirm', field: 'receipt' }] })
})

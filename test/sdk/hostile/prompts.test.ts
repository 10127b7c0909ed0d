import { describe, expect, it } from 'vitest'
import type { ConvertOptions, Step } from '../../../packages/sdk/src/index.ts'
import type { TestWallet } from '../../../packages/sdk/src/testing.ts'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { recordSteps } from '../recordSteps.ts'
import { toErrorAnswer, type Answer, type Changes } from './createTamperingFetch.ts'
import { chainId, chains, createVictim, toRequest } from './startVictim.ts'

const createWallet = async () => await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
const promptsOf = ({ prompts }: TestWallet) => prompts.map(({ method }) => method).slice(1)

/** Answers every plan with the first one, which requests a permit. */
function repeatPlan(): Changes {
  let first: Answer | undefined
  return { 'approval.plan': (answer) => (first ??= answer) }
}

async function convertRefusing(changes: Changes, options: Pick<ConvertOptions, 'onRefused'> = {}) {
  const agio = createVictim(changes)
  const wallet = await createWallet()
  wallet.answer(({ method }) => (method === 'eth_signTypedData_v4' ? 'reject' : 'confirm'))
  const recorded = await recordSteps(agio.convert({ quote: await agio.quote(toRequest()), wallet, ...options }))
  return { ...recorded, agio, wallet }
}

describe('a permit that the user refuses', () => {
  it('error: convert/mismatch for a service that requests it again, after one prompt', async () => {
    const { error, wallet } = await convertRefusing(repeatPlan(), { onRefused: 'approve' })
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: 'kind', expected: 'approve' } })
    expect(promptsOf(wallet)).toEqual(['eth_signTypedData_v4'])
  })

  it('error: wallet/rejected without another prompt, and resuming converts by an approval', async () => {
    const { error, told, steps, agio, wallet } = await convertRefusing({})
    expect(error).toMatchObject({ code: 'wallet/rejected', action: 'retry' })
    expect(told.at(-1)).toBe('permit failed')
    expect(promptsOf(wallet)).toEqual(['eth_signTypedData_v4'])
    expect(await agio.resume(steps.at(-1) as Step, { wallet })).toMatchObject({ status: 'success' })
    expect(promptsOf(wallet)).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction', 'eth_sendTransaction'])
  })
})

it('error: convert/too-many-prompts instead of a ninth prompt, for a service that refuses each signature', async () => {
  const agio = createVictim({
    'transaction.buildConvert': (answer, { input }) =>
      'permit' in input ? toErrorAnswer('svc/invalid-permit', { reason: 'nonce' }) : answer,
  })
  const wallet = await createWallet()
  const { error, steps } = await recordSteps(agio.convert({ quote: await agio.quote(toRequest()), wallet }))
  expect(error).toMatchObject({ code: 'convert/too-many-prompts', details: { prompts: 8 } })
  expect(wallet.prompts).toHaveLength(8)
  const resumed = await recordSteps(agio.resume(steps.at(-1) as Step, { wallet }))
  expect(resumed.error).toMatchObject({ code: 'convert/too-many-prompts' })
  expect(wallet.prompts).toHaveLength(8)
})

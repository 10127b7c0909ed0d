import { afterEach, describe, expect, it } from 'vitest'
import type { TestWallet } from '../../../packages/sdk/src/testing.ts'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { apiKey } from '../../harness/settingsFor.ts'
import { waitForBlock } from '../../harness/waitForBlock.ts'
import { setUp } from '../../harness/setUp.ts'
import { recordSteps } from '../recordSteps.ts'
import { startSdkStack } from '../startSdkStack.ts'
import { changeData, type Answer, type Changes, type Json } from './createTamperingFetch.ts'
import { attacker, chainId, chains, client, createLocalWallet, createVictim, toRequest } from './startVictim.ts'

// 0.001 ETH per gas.
const tip = '0x38d7ea4c68000'
const costly = { maxPriorityFeePerGas: tip, maxFeePerGas: tip }

/** Changes the transaction of the conversion. */
const inConversion = (change: object): Changes => ({
  'transaction.buildConvert': changeData((built: Json) => ({
    ...built,
    transaction: { ...built.transaction, ...change },
  })),
})

/** Changes the transactions of approvals. */
const inApproval = (change: object): Changes => ({
  'approval.plan': changeData((plan: Json) => ({
    ...plan,
    steps: plan.steps.map((step: Json) => ({ ...step, walletTransaction: { ...step.walletTransaction, ...change } })),
  })),
})

/** Converts tUSD, which has no permits, with a local account or with a wallet that confirms everything. */
async function convert(changes: Changes, { isLocal = false, maxGasCost }: ConvertOptions = {}) {
  const agio = createVictim(changes)
  const local = isLocal && (await createLocalWallet('tUSD'))
  const wallet = local || (await createFundedWallet(chains, { chainId, holding: { tUSD: '100' } }))
  const { address } = local ? local.account : (wallet as TestWallet)
  const recorded = await recordSteps(agio.convert({ quote: await agio.quote(toRequest('tUSD')), wallet, maxGasCost }))
  const prompts = 'prompts' in wallet ? wallet.prompts : []
  return { ...recorded, prompts, countSent: () => client.getTransactionCount({ address }) }
}

type ConvertOptions = { readonly isLocal?: boolean; readonly maxGasCost?: bigint }

const stack = setUp(startSdkStack)
afterEach(() => stack.scenarios.reset())

describe('a service that builds costly transactions', () => {
  it('a wallet gets no fees of the service, neither for an approval nor for a conversion, and chooses its own', async () => {
    const { receipt, prompts } = await convert({ ...inConversion(costly), ...inApproval(costly) })
    expect(receipt).toMatchObject({ status: 'success' })
    const sent = prompts.filter(({ method }) => method === 'eth_sendTransaction').map(({ params }) => params[0])
    expect(sent).toHaveLength(2)
    for (const transaction of sent) {
      expect(Object.keys(transaction as object).toSorted()).toEqual([
        'chainId',
        'data',
        'from',
        'gas',
        'to',
        'type',
        'value',
      ])
    }
  })

  it.each([
    ['maxPriorityFeePerGas', 'an approval', 0, inApproval(costly)],
    ['maxPriorityFeePerGas', 'a conversion', 1, inConversion(costly)],
    ['maxFeePerGas', 'a conversion', 1, inConversion({ maxFeePerGas: tip })],
    ['maxFeePerGas', 'a conversion without fees', 1, inConversion({ maxFeePerGas: null })],
  ])(
    'error: convert/mismatch with %s of %s, and a local account does not sign it',
    async (...[field, , sent, changes]) => {
      const { error, countSent } = await convert(changes, { isLocal: true })
      expect(error).toMatchObject({ code: 'convert/mismatch', details: { field } })
      expect(await countSent()).toBe(sent)
    },
  )

  it('a local account converts with the fees of an honest service, although the fees of the market have fallen since', async () => {
    const { client: node, url } = stack
    await node.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n })
    const wallet = await createLocalWallet('tUSD', stack.chain)
    const fees = { maxPriorityFeePerGas: 1_000_000_000n, maxFeePerGas: 10_000_000_000n, chain: null }
    for (let count = 0; count < 5; count += 1) await node.sendTransaction({ to: attacker, ...fees })
    await waitForBlock(url, stack.chain)
    // A fifth of the base fee is left after twelve blocks, and no tip.
    const mineTwelve = async (answer: Answer) => {
      for (let count = 0; count < 12; count += 1) await node.mine({ blocks: 1 })
      return answer
    }
    const agio = createVictim({ 'approval.plan': mineTwelve }, { url, apiKey })
    const quote = await agio.quote(toRequest('tUSD'))
    expect((await agio.convert({ quote, wallet })).status).toBe('success')
  })

  it.each([
    ['an approval', 0, inApproval({ gas: '0x1c9c380' })],
    ['a conversion', 1, inConversion({ gas: '0x1c9c380' })],
  ])('error: convert/mismatch with gas for %s of 30,000,000 gas, before its prompt', async (_, sent, changes) => {
    const { error, countSent } = await convert(changes)
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: 'gas' } })
    expect(await countSent()).toBe(sent)
  })

  it.each([true, false])('error: convert/above-max-gas-cost before anything is sent (isLocal: %s)', async (isLocal) => {
    const { error, countSent } = await convert({}, { isLocal, maxGasCost: 1000n })
    const details = { maxGasCost: '1000', gasCost: expect.stringMatching(/^\d{5,}$/) }
    expect(error).toMatchObject({ code: 'convert/above-max-gas-cost', action: 'wait', details })
    expect(await countSent()).toBe(0)
  })
})

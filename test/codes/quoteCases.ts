import { expect, onTestFinished } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { callBoth, type Cases } from './callBoth.ts'
import type { CodesStack } from './startCodesStack.ts'

const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Pauses or resumes the quotes of a pair. */
async function change(name: 'pause' | 'resume', { local, chain }: CodesStack): Promise<void> {
  const { tAUD: tokenA, tEUR: tokenB } = chain.tokens
  const headers = { 'x-admin-key': adminKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ chainId: chain.chainId, tokenA, tokenB })
  const response = await fetch(`${local.url}/api/v1/admin/quotes/${name}`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
}

/** The codes of quotes, and of the signatures that pay them. */
export const quoteCases = {
  'svc/quote-invalid': ({ local }) =>
    callBoth(local.url, ['transaction.buildConvert', { quote: 'a.b.c', userAddress }]),
  async 'svc/quote-expired'(stack) {
    const { client } = connectOwner(stack.chain)
    const { quote, expiresAt } = await requestQuote(stack)
    await client.setNextBlockTimestamp({ timestamp: BigInt(Date.parse(expiresAt)) / 1000n })
    await client.mine({ blocks: 1 })
    await waitForBlock(stack.local.url, stack.chain)
    return await callBoth(stack.local.url, ['transaction.buildConvert', { quote, userAddress }])
  },
  async 'svc/quote-mismatch'(stack) {
    const { quote } = await requestQuote(stack)
    return await callBoth(stack.local.url, ['transaction.buildConvert', { chainId: 421614, quote, userAddress }])
  },
  async 'svc/quote-not-yours'({ served, inputs }) {
    const [owner, other] = [
      await createAdminClient(served.url).issue(),
      await createAdminClient(served.url).issue(),
    ] as const
    const call = createRestCaller({ url: served.url, apiKey: owner.key })
    const { data } = await call('convert.quote', inputs['convert.quote'])
    return await callBoth(served.url, ['transaction.buildConvert', { quote: data?.['quote'], userAddress }], other.key)
  },
  async 'svc/quoting-paused'(stack) {
    const { local, chain, inputs } = stack
    await change('pause', stack)
    onTestFinished(() => change('resume', stack))
    const pair = { poolAddress: undefined, tokenIn: chain.tokens['tEUR'], tokenOut: chain.tokens['tAUD'] }
    return await callBoth(local.url, ['convert.quote', { ...inputs['convert.quote'], ...pair }])
  },
  async 'svc/invalid-permit'(stack) {
    const { quote, expiresAt } = await requestQuote(stack)
    const deadline = Date.parse(expiresAt) / 1000
    const permit = { kind: 'permit', deadline, signature: `0x${'5a'.repeat(64)}1b` }
    return await callBoth(stack.local.url, ['transaction.buildConvert', { quote, userAddress, permit }])
  },
  'svc/recipient-unsupported': ({ local, inputs, family }) =>
    callBoth(local.url, ['convert.quote', { ...inputs['convert.quote'], poolAddress: undefined, ...family }]),
} as const satisfies Cases

async function requestQuote({ local, inputs }: CodesStack) {
  const { data } = await local.callers.REST('convert.quote', { ...inputs['convert.quote'], validForSeconds: 600 })
  return data as { readonly quote: string; readonly expiresAt: string }
}

import type { Address } from '@agio/core'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Eip1193Provider, Step } from '../../packages/sdk/src/index.ts'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { fund } from '../harness/createHolder.ts'
import { readBalance } from '../harness/readBalance.ts'
import { executeBy } from '../harness/swaps.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { recordSteps } from './recordSteps.ts'
import { agio, chain, chainId, chains, client, deploy } from './sharedService.ts'

const { tAUD: tokenIn, tUSD: tokenOut } = chain.tokens

/** A wallet of a smart account, which its owner sends for and pays the gas of. */
async function createSmartWallet() {
  const owner = await createFundedWallet(chains, { chainId })
  await owner.request({ method: 'eth_requestAccounts' })
  const address = await deploy('testing/OwnedAccount', [owner.address])
  await fund(chain, address, { tAUD: '100' })
  await client.setBalance({ address, value: 0n })
  const wallet: Eip1193Provider = {
    request: async (args) => {
      if (args.method === 'eth_accounts') return [address]
      return args.method === 'eth_sendTransaction'
        ? await execute({ owner, address }, args.params)
        : await owner.request(args)
    },
  }
  return { wallet, owner, address }
}

type Account = { readonly owner: TestWallet; readonly address: Address }

async function execute({ owner, address }: Account, params: unknown): Promise<unknown> {
  const [{ to, data }] = params as [{ to: Address; data: Hex }]
  const { target: account, data: execution } = executeBy(address, [{ target: to, data }])
  return await owner.request({
    method: 'eth_sendTransaction',
    params: [{ from: owner.address, to: account, data: execution }],
  })
}

describe('a wallet of a smart account', () => {
  const quoteOf = () => agio.quote({ chainId, tokenIn, tokenOut, amountIn: '10' })

  it('a smart account without native currency converts by its own code', async () => {
    const { wallet, address } = await createSmartWallet()
    const receipt = await agio.convert({ quote: await quoteOf(), wallet, approval: 'approve' })
    expect(receipt).toMatchObject({ status: 'success', payer: address, recipient: address })
  })

  it('what was sent for a smart account without a response is found by the token that it paid, and sent once', async () => {
    const { wallet, owner, address } = await createSmartWallet()
    const stop = new AbortController()
    let last: Step | undefined
    const forgetful: Eip1193Provider = {
      request: async (args) => {
        const result = await wallet.request(args)
        if (args.method !== 'eth_sendTransaction' || last?.kind !== 'convert') return result
        stop.abort()
        return await new Promise(() => {})
      },
    }
    const { error } = await recordSteps(
      agio.convert({
        quote: await quoteOf(),
        wallet: forgetful,
        approval: 'approve',
        signal: stop.signal,
        onStep: (step) => {
          last = step
        },
      }),
    )
    expect(error).toMatchObject({ code: 'convert/aborted' })
    const sent = owner.prompts.length
    const receipt = await agio.resume(last as unknown as Step, { wallet, approval: 'approve' })
    expect(receipt).toMatchObject({ status: 'success', payer: address })
    expect(owner.prompts).toHaveLength(sent)
    expect(await readBalance(chain, tokenIn, address)).toBe(90_000_000n)
  })
})

import type { Hex } from 'viem'
import { expect } from 'vitest'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import type { Subject } from './scenarioStacks.ts'

/** Creates a wallet that holds 1,000 tAUD and has approved the router, to sign conversions of all of them into tUSD. */
export async function prepareConversions({ chain, callers: { REST: call } }: Subject): Promise<Conversions> {
  const { chainId } = chain
  const wallet = await createWallet(chain)
  const send = async (unsigned: unknown) => {
    const signedTransaction = await wallet.sign(call, unsigned as Unsigned)
    const sent = await call('transaction.broadcast', { chainId, signedTransaction })
    expect(sent).toMatchObject({ data: { status: 'success' } })
  }
  const claimed = await call('faucet.buildClaimAll', { chainId, userAddress: wallet.address })
  await send(claimed.data)
  const [tokenIn, tokenOut] = [chain.tokens.tAUD, chain.tokens.tUSD]
  const approval = { chainId, tokenAddress: tokenIn, spenderAddress: chain.deployment.router, amount: '1000' }
  await send((await call('approval.build', approval)).data?.['transaction'])
  const pair = { chainId, tokenIn, tokenOut, amountIn: '1000' }
  return {
    async sign() {
      const build = { ...pair, userAddress: wallet.address, minAmountOut: '650.5' }
      const { data } = await call('transaction.buildConvert', build)
      const signedTransaction = await wallet.sign(call, data as unknown as Unsigned)
      return { ...pair, signedTransaction, expectedAmountOut: '650.874400' }
    },
  }
}

export type Conversions = {
  /** Builds and signs a conversion, and returns the input of `transaction.broadcastConvert`. */
  sign(): Promise<Readonly<Record<string, unknown>> & { readonly signedTransaction: Hex }>
}

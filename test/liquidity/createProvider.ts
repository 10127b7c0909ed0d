import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, maxUint256, parseUnits, type Hex } from 'viem'
import { expect } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { readBalance } from '../harness/readBalance.ts'
import { writeContract } from '../harness/writeContract.ts'

/** The fields that `liquidity.previewDeposit` and `liquidity.previewWithdraw` share, for a tAUD/tUSD pool. */
export type Preview = {
  readonly poolAddress: Address
  readonly lpAmount: string
  readonly amounts: { readonly token0: string; readonly token1: string }
  readonly shareOfPool: string
}

/** The expected changes of the balances of a wallet after a preview is executed; `sign` applies to both tokens. */
export function toGains({ lpAmount, amounts }: Preview, sign: 1n | -1n) {
  return {
    token0: sign * parseUnits(amounts.token0, 6),
    token1: sign * parseUnits(amounts.token1, 6),
    lp: -sign * parseUnits(lpAmount, 18),
  }
}

/** A new wallet with ten million of each token, which executes previews with exactly their amounts. */
export async function createProvider(chain: LocalChain, call: Caller) {
  const [owner, wallet] = [connectOwner(chain), await createWallet(chain)]
  const { chainId, tokens } = chain
  const mint = { abi: tokenAbi, functionName: 'mint', args: [wallet.address, parseUnits('10000000', 6)] } as const
  for (const token of [tokens.tAUD, tokens.tUSD]) await writeContract(owner.client, { address: token, ...mint })

  async function send(transaction: Unsigned): Promise<void> {
    const signedTransaction = await wallet.sign(call, transaction)
    const { data } = await call('transaction.broadcast', { chainId, signedTransaction })
    expect(data).toMatchObject({ status: 'success' })
  }
  async function sendTo(to: Address, data: Hex): Promise<void> {
    await send({ to, data, value: '0', chainId, gasLimit: '500000' })
  }
  async function approve(tokenAddress: Address, spenderAddress: Address, amount: string): Promise<void> {
    const { data } = await call('approval.build', { chainId, tokenAddress, spenderAddress, amount })
    await send(data?.['transaction'] as Unsigned)
  }
  async function readHoldings(pool: Address): Promise<readonly bigint[]> {
    return await Promise.all([tokens.tAUD, tokens.tUSD, pool].map((token) => readBalance(chain, token, wallet.address)))
  }
  async function listGains(pool: Address, work: () => Promise<void>) {
    const before = await readHoldings(pool)
    await work()
    const [token0, token1, lp] = (await readHoldings(pool)).map((held, index) => held - (before[index] ?? 0n))
    return { token0, token1, lp }
  }
  return {
    address: wallet.address,
    /** Approves and deposits the previewed amounts, which are both the lower and the upper bound. */
    async deposit({ poolAddress, value, amounts }: Preview & { readonly value: string }) {
      await approve(tokens.tAUD, poolAddress, amounts.token0)
      await approve(tokens.tUSD, poolAddress, amounts.token1)
      const [base, quote] = [parseUnits(amounts.token0, 6), parseUnits(amounts.token1, 6)]
      const args = [parseUnits(value, 18), quote, base, quote, base, maxUint256] as const
      const data = encodeFunctionData({ abi: poolAbi, functionName: 'deposit', args })
      return await listGains(poolAddress, () => sendTo(poolAddress, data))
    },
    async withdraw({ poolAddress, lpAmount }: Preview) {
      const args = [parseUnits(lpAmount, 18), maxUint256] as const
      const data = encodeFunctionData({ abi: poolAbi, functionName: 'withdraw', args })
      return await listGains(poolAddress, () => sendTo(poolAddress, data))
    },
  }
}

/** An amount as a percentage of the current supply of LP tokens, truncated to the digits of the preview. */
export async function readShare(chain: LocalChain, { poolAddress, lpAmount, shareOfPool }: Preview): Promise<string> {
  const pool = { address: poolAddress, abi: poolAbi } as const
  const supply = await connectOwner(chain).client.readContract({ ...pool, functionName: 'totalSupply' })
  const digits = shareOfPool.length - 1 - shareOfPool.indexOf('.') - 1
  const text = String((100n * parseUnits(lpAmount, 18) * 10n ** BigInt(digits)) / supply).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}%`
}

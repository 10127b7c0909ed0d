import { poolAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseUnits } from 'viem'
import { connectOwner } from '../harness/connectOwner.ts'

/** The fields that `liquidity.previewDeposit` and `liquidity.previewWithdraw` share, for a tAUD/tUSD pool. */
export type Preview = {
  readonly poolAddress: Address
  readonly lpAmount: string
  readonly amounts: { readonly token0: string; readonly token1: string }
  readonly shareOfPool: string
}

/** The changes of the balances of a wallet, raw and signed. */
export type Gains = {
  readonly token0: bigint | undefined
  readonly token1: bigint | undefined
  readonly lp: bigint | undefined
}

/** The expected changes of the balances of a wallet after a preview is executed; `sign` applies to both tokens. */
export function toGains({ lpAmount, amounts }: Preview, sign: 1n | -1n): Gains {
  return {
    token0: sign * parseUnits(amounts.token0, 6),
    token1: sign * parseUnits(amounts.token1, 6),
    lp: -sign * parseUnits(lpAmount, 18),
  }
}

/** The expected transfers when a preview is executed, raw, by lower-case token address. */
export function toMoved(
  { tokens }: LocalChain,
  { poolAddress, lpAmount, amounts }: Preview,
): Readonly<Record<string, bigint>> {
  return {
    [tokens.tAUD.toLowerCase()]: parseUnits(amounts.token0, 6),
    [tokens.tUSD.toLowerCase()]: parseUnits(amounts.token1, 6),
    [poolAddress.toLowerCase()]: parseUnits(lpAmount, 18),
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

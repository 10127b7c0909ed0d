import { poolAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseUnits } from 'viem'
import { connectOwner } from '../stack/connectOwner.ts'

/** What `liquidity.previewDeposit` and `liquidity.previewWithdraw` both answer, of the tAUD/tUSD pool or its like. */
export type Preview = {
  readonly poolAddress: Address
  readonly lpAmount: string
  readonly amounts: { readonly token0: string; readonly token1: string }
  readonly shareOfPool: string
}

/** What a wallet has more than before, raw; negative for less. */
export type Gains = {
  readonly token0: bigint | undefined
  readonly token1: bigint | undefined
  readonly lp: bigint | undefined
}

/** What a wallet should have more after it did what a preview says: of the two tokens, with that sign. */
export function toGains({ lpAmount, amounts }: Preview, sign: 1n | -1n): Gains {
  return {
    token0: sign * parseUnits(amounts.token0, 6),
    token1: sign * parseUnits(amounts.token1, 6),
    lp: -sign * parseUnits(lpAmount, 18),
  }
}

/** What should move of each token when a preview is executed, raw, by lower-case address. */
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

/** Which part of all LP tokens there are now an amount is, as percent, cut off after as many digits as the preview has. */
export async function readShare(chain: LocalChain, { poolAddress, lpAmount, shareOfPool }: Preview): Promise<string> {
  const pool = { address: poolAddress, abi: poolAbi } as const
  const supply = await connectOwner(chain).client.readContract({ ...pool, functionName: 'totalSupply' })
  const digits = shareOfPool.length - 1 - shareOfPool.indexOf('.') - 1
  const text = String((100n * parseUnits(lpAmount, 18) * 10n ** BigInt(digits)) / supply).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}%`
}

import { poolAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, maxUint256, parseEventLogs, type Hex } from 'viem'
import type { Owner } from '../harness/connectOwner.ts'

/** A request for a preview: a deposit in dollars, or a withdrawal in LP tokens, both with 18 decimals. */
export type LiquidityRequest = { readonly action: 'deposit' | 'withdraw'; readonly amountRaw: bigint }

/** Dollars up to a hundred million, or LP tokens up to a million; all numbers of digits are equally likely. */
export const arbitraryRequest: fc.Arbitrary<LiquidityRequest> = fc.oneof(
  fc.record({ action: fc.constant('deposit'), amountRaw: ofAnySize(26) }),
  fc.record({ action: fc.constant('withdraw'), amountRaw: ofAnySize(24) }),
)

function ofAnySize(digits: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: 1, max: digits })
    .chain((length) => fc.bigInt({ min: 10n ** BigInt(length - 1), max: 10n ** BigInt(length) - 1n }))
}

/**
 * Executes a request as the owner and without bounds, and reverts the chain afterwards.
 *
 * @returns the transfer of each token, raw, by lower-case address; undefined if the transaction reverted
 */
export async function executeAndRevert(
  { client }: Owner,
  pool: Address,
  request: LiquidityRequest,
): Promise<Readonly<Record<string, bigint>> | undefined> {
  const id = await client.snapshot()
  try {
    const hash = await client.sendTransaction({ to: pool, data: encode(request), chain: null, gas: 1_000_000n })
    const { status, logs } = await client.getTransactionReceipt({ hash })
    if (status !== 'success') return undefined
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    return Object.fromEntries(transfers.map(({ address, args }) => [address.toLowerCase(), args.value]))
  } finally {
    await client.revert({ id })
  }
}

function encode({ action, amountRaw }: LiquidityRequest): Hex {
  if (action === 'withdraw') {
    return encodeFunctionData({ abi: poolAbi, functionName: 'withdraw', args: [amountRaw, maxUint256] })
  }
  const args = [amountRaw, 0n, 0n, maxUint256, maxUint256, maxUint256] as const
  return encodeFunctionData({ abi: poolAbi, functionName: 'deposit', args })
}

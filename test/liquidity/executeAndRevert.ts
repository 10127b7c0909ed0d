import { poolAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi, maxUint256, parseEventLogs, type Hex } from 'viem'
import type { Owner } from '../stack/connectOwner.ts'
import type { Question } from './arbitraryRequest.ts'

/**
 * Does what is asked, in the owner's name and without bounds, mines it, and takes the block back.
 *
 * @returns what moved of each token, raw, by lower-case address; undefined if the pool refused
 */
export async function executeAndRevert(
  { client }: Owner,
  pool: Address,
  question: Question,
): Promise<Readonly<Record<string, bigint>> | undefined> {
  const id = await client.snapshot()
  try {
    const hash = await client.sendTransaction({ to: pool, data: encode(question), chain: null, gas: 1_000_000n })
    const { status, logs } = await client.getTransactionReceipt({ hash })
    if (status !== 'success') return undefined
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    return Object.fromEntries(transfers.map(({ address, args }) => [address.toLowerCase(), args.value]))
  } finally {
    await client.revert({ id })
  }
}

function encode({ action, amountRaw }: Question): Hex {
  if (action === 'withdraw') {
    return encodeFunctionData({ abi: poolAbi, functionName: 'withdraw', args: [amountRaw, maxUint256] })
  }
  const args = [amountRaw, 0n, 0n, maxUint256, maxUint256, maxUint256] as const
  return encodeFunctionData({ abi: poolAbi, functionName: 'deposit', args })
}

import type { Address } from '@agio/core'
import { encodeAbiParameters, encodeEventTopics, erc20Abi, parseAbiParameters, type Hex } from 'viem'
import { poolAbi } from '../src/abi/index.ts'
import type { TransactionLog } from '../src/transaction/readReceipt.ts'

/** The accounts of conversions in tests: the contracts of a deployment with two pools, and two users. */
export const parties = {
  router: '0x1000000000000000000000000000000000000001',
  user: '0x1000000000000000000000000000000000000002',
  other: '0x1000000000000000000000000000000000000003',
  aud: '0x1000000000000000000000000000000000000004',
  usd: '0x1000000000000000000000000000000000000005',
  eur: '0x1000000000000000000000000000000000000006',
  audPool: '0x1000000000000000000000000000000000000007',
  eurPool: '0x1000000000000000000000000000000000000008',
} as const satisfies Readonly<Record<string, Address>>

type Transfer = {
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly amountRaw: bigint
}

type Trade = {
  readonly pool: Address
  readonly trader: Address
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountInRaw: bigint
  readonly amountOutRaw: bigint
}

/** Returns the logs of transfers and trades, in the order of their positions, from zero. */
export function createLogs(...events: readonly LoggedEvent[]): readonly TransactionLog[] {
  return events.map((event, logIndex) => ({
    ...('pool' in event ? toTradeLog(event) : toTransferLog(event)),
    logIndex,
  }))
}

export type LoggedEvent = Transfer | Trade

function toTradeLog({ pool, trader, tokenIn: origin, tokenOut: target, amountInRaw, amountOutRaw }: Trade) {
  const topics = encodeEventTopics({ abi: poolAbi, eventName: 'Trade', args: { trader, origin, target } }) as Hex[]
  const data = encodeAbiParameters(parseAbiParameters('uint256, uint256, int128'), [amountInRaw, amountOutRaw, 0n])
  return { address: pool, topics, data }
}

function toTransferLog({ token, from, to, amountRaw }: Transfer) {
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }) as Hex[]
  return { address: token, topics, data: encodeAbiParameters([{ type: 'uint256' }], [amountRaw]) }
}

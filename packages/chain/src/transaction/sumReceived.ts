import type { Address } from '@agio/core'
import { parseEventLogs, erc20Abi, type Log } from 'viem'
import type { Receipt } from './readReceipt.ts'

/** The raw units of a token that an account received in a transaction, less what it sent, and at least zero. */
export function sumReceived(receipt: Receipt, token: Address, account: Address): bigint {
  const transfers = parseEventLogs({
    abi: erc20Abi,
    eventName: 'Transfer',
    logs: [...receipt.logs] as unknown as Log[],
  })
  let received = 0n
  for (const { address, args } of transfers) {
    if (address !== token) continue
    if (args.to === account) received += args.value
    if (args.from === account) received -= args.value
  }
  return received > 0n ? received : 0n
}

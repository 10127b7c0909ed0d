import type { Address, Hex } from './Wallet.ts'
import type { NodeReceipt, ReceiptLog } from './WalletSession.ts'

/** The topic of `Transfer(address,address,uint256)` of ERC-20. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Returns an address as a topic of a log: 32 bytes in lower case. */
export function toTopic(address: Address): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}

/** Returns how much of a token the listed transfers of a receipt move, in raw units. */
export function sumTransfers(receipt: NodeReceipt, query: Query): bigint {
  return listTransfers(receipt, query).reduce((sum, amount) => sum + amount, 0n)
}

/** Lists the transfers of a token in a receipt, from an account, to an account or both, in raw units. */
export function listTransfers({ logs }: NodeReceipt, { token, from, to }: Query): readonly bigint[] {
  const isParty = (topic: Hex | undefined, account?: Address) => account === undefined || topic === toTopic(account)
  return logs
    .filter((log) => isTransfer(log, token) && isParty(log.topics[1], from) && isParty(log.topics[2], to))
    .map(({ data }) => BigInt(data))
}

/** Returns whether an account is the only one that paid a token in a receipt. Contracts on the way pass it on. */
export function isOnlyPayer(
  { logs }: NodeReceipt,
  { token, from }: { readonly token: Address; readonly from: Address },
) {
  const moved = logs.filter((log) => isTransfer(log, token))
  const receivers = new Set(moved.map(({ topics }) => topics[2]))
  return moved.every(({ topics: [, sender] }) => sender === toTopic(from) || receivers.has(sender))
}

type Query = { readonly token: Address; readonly from?: Address; readonly to?: Address }

// A word. Tokens of ERC-721 have the same event, with three indexed arguments and no data.
const wordLength = 66

function isTransfer({ address, topics, data }: ReceiptLog, token: Address): boolean {
  return address === token.toLowerCase() && topics[0] === transferTopic && data.length === wordLength
}

import { clientError } from '../errors/AgioError.ts'
import { isObject } from '../errors/isObject.ts'
import type { Address, Hex } from './Wallet.ts'
import type {
  BlockTransaction,
  FoundTransaction,
  NodeReceipt,
  ReceiptLog,
  Transfer,
  WalletBlock,
} from './WalletSession.ts'

/** Parses a quantity: hex, or a number, which some wallets return. @throws `wallet/failed` */
export function parseQuantity(value: unknown, method: string): number {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  if (value === '' || !Number.isSafeInteger(number) || number < 0) throw invalidResponse(value, method)
  return number
}

/** Parses a hex string and converts it to lower case. @throws `wallet/failed` */
export function parseHex(value: unknown, method: string, bytes?: number): Hex {
  // A pattern of whole bytes, which repeats a group, throws a RangeError for several megabytes.
  const isHex = typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(value)
  if (!isHex) throw invalidResponse(value, method)
  if (bytes !== undefined && value.length !== 2 + 2 * bytes) throw invalidResponse(value, method)
  return value.toLowerCase() as Hex
}

/** Parses an address and keeps its letter case. @throws `wallet/failed` */
export function parseAddress(value: unknown, method: string): Address {
  parseHex(value, method, 20)
  return value as Address
}

/** Parses a block with its transactions. @throws `wallet/failed` */
export function parseBlock(value: unknown, method: string): WalletBlock {
  const { transactions } = parseObject(value, method)
  if (!Array.isArray(transactions)) throw invalidResponse(transactions, method)
  return {
    ...parseHead(value, method),
    transactions: transactions.map((transaction) => parseTransaction(parseObject(transaction, method), method)),
  }
}

/** Parses a block without its transactions. @throws `wallet/failed` */
export function parseHead(value: unknown, method: string): Omit<WalletBlock, 'transactions'> {
  const { number, hash, timestamp } = parseObject(value, method)
  return {
    number: parseQuantity(number, method),
    hash: parseHex(hash, method, 32),
    timestamp: parseQuantity(timestamp, method),
  }
}

/** Parses the transactions of logs, without duplicates. @throws `wallet/failed` */
export function parseTransfers(value: unknown, method: string): readonly Transfer[] {
  if (!Array.isArray(value)) throw invalidResponse(value, method)
  const transfers = value.map((log) => {
    const { transactionHash, blockHash } = parseObject(log, method)
    return [transactionHash, blockHash].map((hash) => parseHex(hash, method, 32)) as [Hex, Hex]
  })
  return [...new Map(transfers)].map(([transactionHash, blockHash]) => ({ transactionHash, blockHash }))
}

/** Returns 32 bytes in lower case, or undefined for anything else. */
export function findHash(value: unknown): Hex | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? (value.toLowerCase() as Hex) : undefined
}

/** Parses a transaction. @throws `wallet/failed` */
export function parseFoundTransaction(value: unknown, method: string): FoundTransaction {
  const fields = parseObject(value, method)
  const { blockNumber, value: valueWei, gas, gasPrice } = fields
  const { maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = fields
  const isMined = blockNumber !== null && blockNumber !== undefined
  return {
    ...parseTransaction(fields, method),
    ...(valueWei !== undefined && { valueWei: parseWei(valueWei, method) }),
    ...(gas !== undefined && { gas: parseWei(gas, method) }),
    ...(maxFeePerGas !== undefined && { maxFeePerGas: parseWei(maxFeePerGas, method) }),
    ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas: parseWei(maxPriorityFeePerGas, method) }),
    ...(isMined && { blockNumber: parseQuantity(blockNumber, method) }),
  }
}

/** Parses a receipt. @throws `wallet/failed` */
export function parseReceipt(value: unknown, method: string): NodeReceipt {
  const { status, blockNumber, blockHash, gasUsed, logs } = parseObject(value, method)
  if (!Array.isArray(logs)) throw invalidResponse(logs, method)
  return {
    isSuccess: parseQuantity(status, method) === 1,
    blockNumber: parseQuantity(blockNumber, method),
    blockHash: parseHex(blockHash, method, 32),
    gasUsed: parseWei(gasUsed, method),
    logs: logs.map((log) => parseLog(parseObject(log, method), method)),
  }
}

function parseLog({ address, topics, data }: Fields, method: string): ReceiptLog {
  if (!Array.isArray(topics)) throw invalidResponse(topics, method)
  return {
    address: parseHex(address, method, 20),
    topics: topics.map((topic) => parseHex(topic, method, 32)),
    data: parseHex(data, method),
  }
}

/** Parses a quantity of any size. @throws `wallet/failed` */
export function parseWei(value: unknown, method: string): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value)) return BigInt(value)
  return BigInt(parseQuantity(value, method))
}

type Fields = Readonly<Record<string, unknown>>

function parseTransaction({ hash, from, to, input, data, nonce }: Fields, method: string): BlockTransaction {
  return {
    hash: parseHex(hash, method, 32),
    from: parseHex(from, method, 20),
    ...(to !== null && to !== undefined && { to: parseHex(to, method, 20) }),
    input: parseHex(input ?? data, method),
    nonce: parseQuantity(nonce, method),
  }
}

/** Parses an object. @throws `wallet/failed` for any other value */
export function parseObject(value: unknown, method: string): Fields {
  if (!isObject(value)) throw invalidResponse(value, method)
  return value
}

/** Returns a number as hex for JSON-RPC. */
export function toQuantity(number: number): Hex {
  return `0x${number.toString(16)}`
}

/** Creates the error for a malformed response. */
export function invalidResponse(value: unknown, method: string) {
  return clientError('wallet/failed', `Cannot read the response to ${method}: ${toText(value).slice(0, 100)}`, {
    method,
  })
}

/** Returns a value as JSON, or its type if JSON cannot represent it, such as a bigint. */
function toText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value
  } catch {
    return typeof value
  }
}

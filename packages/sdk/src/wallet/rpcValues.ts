import { clientError } from '../errors/AgioError.ts'
import { isObject } from '../errors/isObject.ts'
import type { Address, Hex } from './Wallet.ts'
import type { BlockTransaction, FoundTransaction, WalletBlock } from './WalletSession.ts'

/** Reads a quantity: hex, or a number, which some wallets return. @throws `wallet/failed` */
export function readQuantity(value: unknown, method: string): number {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  if (value === '' || !Number.isSafeInteger(number) || number < 0) throw invalidResponse(value, method)
  return number
}

/** Reads a hex string and converts it to lower case. @throws `wallet/failed` */
export function readHex(value: unknown, method: string, bytes?: number): Hex {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value)) throw invalidResponse(value, method)
  if (bytes !== undefined && value.length !== 2 + 2 * bytes) throw invalidResponse(value, method)
  return value.toLowerCase() as Hex
}

/** Reads an address and keeps its letter case. @throws `wallet/failed` */
export function readAddress(value: unknown, method: string): Address {
  readHex(value, method, 20)
  return value as Address
}

/** Reads a block with its transactions. @throws `wallet/failed` */
export function readBlock(value: unknown, method: string): WalletBlock {
  const { transactions } = readObject(value, method)
  if (!Array.isArray(transactions)) throw invalidResponse(transactions, method)
  return {
    ...readHead(value, method),
    transactions: transactions.map((each) => readTransaction(readObject(each, method), method)),
  }
}

/** Reads a block without its transactions. @throws `wallet/failed` */
export function readHead(value: unknown, method: string): Pick<WalletBlock, 'number' | 'timestamp'> {
  const { number, timestamp } = readObject(value, method)
  return { number: readQuantity(number, method), timestamp: readQuantity(timestamp, method) }
}

/** Reads the transaction hashes of logs, without duplicates. @throws `wallet/failed` */
export function readLogHashes(value: unknown, method: string): readonly Hex[] {
  if (!Array.isArray(value)) throw invalidResponse(value, method)
  const hashes = value.map((each) => readHex(readObject(each, method)['transactionHash'], method, 32))
  return [...new Set(hashes)]
}

/** Reads a transaction. @throws `wallet/failed` */
export function readFoundTransaction(value: unknown, method: string): FoundTransaction {
  const fields = readObject(value, method)
  const { blockNumber, value: valueWei } = fields
  const isMined = blockNumber !== null && blockNumber !== undefined
  return {
    ...readTransaction(fields, method),
    ...(valueWei !== undefined && { valueWei: readWei(valueWei, method) }),
    ...(isMined && { blockNumber: readQuantity(blockNumber, method) }),
  }
}

function readWei(value: unknown, method: string): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value)) return BigInt(value)
  return BigInt(readQuantity(value, method))
}

type Fields = Readonly<Record<string, unknown>>

function readTransaction({ hash, from, to, input, data, nonce }: Fields, method: string): BlockTransaction {
  return {
    hash: readHex(hash, method, 32),
    from: readHex(from, method, 20),
    ...(to !== null && to !== undefined && { to: readHex(to, method, 20) }),
    input: readHex(input ?? data, method),
    nonce: readQuantity(nonce, method),
  }
}

/** Reads an object. @throws `wallet/failed` for any other value */
export function readObject(value: unknown, method: string): Fields {
  if (!isObject(value)) throw invalidResponse(value, method)
  return value
}

/** Returns a number as hex for JSON-RPC. */
export function toQuantity(number: number): Hex {
  return `0x${number.toString(16)}`
}

/** Creates the error for a malformed response. */
export function invalidResponse(value: unknown, method: string) {
  const text = (JSON.stringify(value) ?? String(value)).slice(0, 100)
  return clientError('wallet/failed', `Cannot read the response to ${method}: ${text}`, { method })
}

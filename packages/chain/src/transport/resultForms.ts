import { isObject } from '@agio/core'
import type { RpcRequest } from './NodeLink.ts'

const address = /^0x[0-9a-f]{40}$/i
const data = /^0x([0-9a-f]{2})*$/i
const quantity = /^0x[0-9a-f]{1,64}$/i
const hash = /^0x[0-9a-f]{64}$/i

/** A quantity that a JavaScript number holds exactly. */
const smallQuantity = /^0x[0-9a-f]{1,13}$/i

const stringForms: Readonly<Record<string, RegExp>> = {
  eth_blockNumber: smallQuantity,
  eth_call: data,
  eth_chainId: smallQuantity,
  eth_estimateGas: smallQuantity,
  eth_getBalance: quantity,
  eth_getCode: data,
  eth_getTransactionCount: smallQuantity,
  eth_sendRawTransaction: hash,
}

type Fields = Readonly<Record<string, unknown>>

/** Whether an object answers a request with the given first parameter. */
type ObjectForm = (result: unknown, asked: unknown) => boolean

// An unknown transaction, receipt or block is null. The newest block and the fee history are never null.
const objectForms: Readonly<Record<string, ObjectForm>> = {
  eth_feeHistory: isFeeHistory,
  eth_getBlockByHash: (result, asked) => result === null || (isObject(result) && isSame(result['hash'], asked)),
  eth_getBlockByNumber: isBlock,
  eth_getLogs: (result, asked) =>
    Array.isArray(result) && result.every((log) => isLogOf(log, isObject(asked) ? asked : {})),
  eth_getTransactionByHash: (result, asked) => result === null || (isObject(result) && isSame(result['hash'], asked)),
  eth_getTransactionReceipt: (result, asked) => result === null || isReceipt(result, asked),
}

/**
 * Returns whether a result has the form of its method, and describes the block or the transaction that was asked for. A
 * receipt of another transaction would otherwise decide the outcome of this transaction.
 */
export function isValidResult({ method, params }: RpcRequest, result: unknown): boolean {
  const stringForm = stringForms[method]
  if (stringForm) return matches(stringForm, result)
  const asked: unknown = Array.isArray(params) ? params[0] : undefined
  return objectForms[method]?.(result, asked) ?? true
}

function isFeeHistory(result: unknown): boolean {
  if (!isObject(result)) return false
  const { baseFeePerGas, reward } = result
  const areQuantities = (values: unknown) => Array.isArray(values) && values.every((value) => matches(quantity, value))
  const areRewards = isAbsent(reward) || (Array.isArray(reward) && reward.every(areQuantities))
  return areQuantities(baseFeePerGas) && areRewards
}

function isBlock(result: unknown, asked: unknown): boolean {
  const isNewest = asked === undefined || asked === 'latest' || asked === 'pending'
  if (!isObject(result)) return result === null && !isNewest
  // A tag, such as `finalized`, names no number.
  return (
    !matches(quantity, asked) || (matches(quantity, result['number']) && BigInt(result['number']) === BigInt(asked))
  )
}

function isReceipt(result: unknown, asked: unknown): boolean {
  if (!isObject(result) || !isSame(result['transactionHash'], asked)) return false
  const { blockHash, blockNumber, gasUsed, logs } = result
  if (!matches(hash, blockHash) || ![blockNumber, gasUsed].every((value) => matches(smallQuantity, value))) return false
  if (![result['effectiveGasPrice'], result['l1Fee']].every((value) => isAbsent(value) || matches(quantity, value)))
    return false
  return Array.isArray(logs) && logs.every((log) => isLogOf(log, { blockHash, transactionHash: asked }))
}

/** Returns whether a value is a log of the given block and transaction, if a block or a transaction is given. */
function isLogOf(log: unknown, { blockHash, transactionHash }: Fields): boolean {
  if (!isObject(log) || !matches(address, log['address']) || !matches(data, log['data'])) return false
  const { topics, logIndex } = log
  if (!isAbsent(logIndex) && !matches(smallQuantity, logIndex)) return false
  if (!Array.isArray(topics) || topics.length > 4 || !topics.every((topic) => matches(hash, topic))) return false
  const isSameIfKnown = (found: unknown, asked: unknown) => isAbsent(found) || isAbsent(asked) || isSame(found, asked)
  return isSameIfKnown(log['blockHash'], blockHash) && isSameIfKnown(log['transactionHash'], transactionHash)
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function isSame(found: unknown, asked: unknown): boolean {
  return typeof found === 'string' && typeof asked === 'string' && found.toLowerCase() === asked.toLowerCase()
}

function matches(form: RegExp, value: unknown): value is string {
  return typeof value === 'string' && form.test(value)
}

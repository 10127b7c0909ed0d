import { isObject, Timestamp } from '@agio/core'
import { isHex, keccak256, type RpcTransaction } from 'viem'
import type { RpcRequest } from './NodeLink.ts'
import { serializeRpcTransaction } from './serializeRpcTransaction.ts'

/** The form of a string. */
type Form = Pick<RegExp, 'test'>

const address = /^0x[0-9a-f]{40}$/i
const quantity = /^0x[0-9a-f]{1,64}$/i
const hash = /^0x[0-9a-f]{64}$/i

// A pattern of whole bytes, which repeats a group, throws a RangeError for several megabytes.
const digits = /^0x[0-9a-f]*$/i
const data: Form = { test: (value) => value.length % 2 === 0 && digits.test(value) }

/** A quantity that a JavaScript number holds exactly. */
const smallQuantity = /^0x[0-9a-f]{1,13}$/i

const stringForms: Readonly<Record<string, Form>> = {
  eth_blockNumber: smallQuantity,
  eth_call: data,
  eth_chainId: smallQuantity,
  eth_estimateGas: smallQuantity,
  eth_getBalance: quantity,
  eth_getCode: data,
  eth_getTransactionCount: smallQuantity,
}

type Fields = Readonly<Record<string, unknown>>

/** The forms of an object's fields. An optional field may also be absent or null. */
type FieldForms = Readonly<Record<'required' | 'optional', Readonly<Record<string, Form>>>>

const blockForms: FieldForms = {
  required: { number: smallQuantity, hash, timestamp: smallQuantity },
  optional: { parentHash: hash, baseFeePerGas: quantity },
}

const transactionForms: FieldForms = {
  required: { hash, from: address, nonce: smallQuantity, value: quantity, gas: quantity, input: data },
  // Without a receiver, a transaction creates a contract.
  optional: { to: address, type: smallQuantity, blockNumber: smallQuantity },
}

const authorizationForms: FieldForms = {
  required: { chainId: smallQuantity, nonce: smallQuantity, yParity: /^0x[01]$/ },
  optional: {},
}

const receiptForms: FieldForms = {
  required: { blockHash: hash, blockNumber: smallQuantity, gasUsed: smallQuantity, status: /^0x[01]$/ },
  optional: { effectiveGasPrice: quantity, l1Fee: quantity },
}

const logForms: FieldForms = {
  required: { address, data, logIndex: smallQuantity },
  optional: { blockHash: hash, transactionHash: hash },
}

/** Whether an object answers a request with the given parameters. */
type ObjectForm = (result: unknown, params: readonly unknown[]) => boolean

// An unknown transaction, receipt or block is null. The newest block and the fee history are never null.
const objectForms: Readonly<Record<string, ObjectForm>> = {
  eth_feeHistory: isFeeHistory,
  eth_getBlockByHash: (result, [asked, isFull]) =>
    result === null || (isBlock(result, isFull) && isSame(result['hash'], asked)),
  eth_getBlockByNumber: isBlockByNumber,
  eth_getLogs: (result, [asked]) =>
    Array.isArray(result) && result.every((log) => isLogOf(log, isObject(asked) ? asked : {})),
  eth_getTransactionByHash: (result, [asked]) => result === null || isTransaction(result, asked),
  eth_getTransactionReceipt: (result, [asked]) => result === null || isReceipt(result, asked),
  // A node that returns another hash may have dropped the transaction.
  eth_sendRawTransaction: (result, [sent]) => isHex(sent) && isSame(result, keccak256(sent)),
}

/**
 * Returns whether a result has the form of its method, and describes the block or the transaction that was asked for. A
 * receipt of another transaction would otherwise decide the outcome of this transaction.
 */
export function isValidResult({ method, params }: RpcRequest, result: unknown): boolean {
  const stringForm = stringForms[method]
  if (stringForm) return matches(stringForm, result)
  const asked: readonly unknown[] = Array.isArray(params) ? params : []
  return objectForms[method]?.(result, asked) ?? true
}

function isFeeHistory(result: unknown): boolean {
  if (!isObject(result)) return false
  const { baseFeePerGas } = result
  // Without a value, the next block's base fee would count as 0.
  return (
    Array.isArray(baseFeePerGas) && baseFeePerGas.length > 0 && baseFeePerGas.every((fee) => matches(quantity, fee))
  )
}

function isBlockByNumber(result: unknown, [asked, isFull]: readonly unknown[]): boolean {
  const isNewest = asked === undefined || asked === 'latest' || asked === 'pending'
  if (result === null) return !isNewest
  if (!isBlock(result, isFull)) return false
  // A tag, such as `finalized`, names no number.
  return !matches(quantity, asked) || BigInt(String(result['number'])) === BigInt(asked)
}

/** Returns whether a value is a mined block, with its transactions if `isFull` is true. */
function isBlock(result: unknown, isFull: unknown): result is Fields {
  if (!hasForms(result, blockForms) || BigInt(String(result['timestamp'])) > Timestamp.maxSeconds) return false
  const { transactions } = result
  return (
    isFull !== true || (Array.isArray(transactions) && transactions.every((each) => hasForms(each, transactionForms)))
  )
}

function isTransaction(result: unknown, asked: unknown): boolean {
  return hasForms(result, transactionForms) && isSame(result['hash'], asked) && hasAskedBytes(result, asked)
}

/**
 * Returns whether the signed bytes of a transaction have the hash that was asked for. The hash proves each field that
 * the sender signed, so a node cannot change the receiver, the value, the calldata or the fees. It does not prove `from`
 * or the block. Only the form is checked if a rollup created the transaction, since it has no signature, and if an
 * authorization of EIP-7702 has values that take no effect, since viem does not serialize them.
 */
function hasAskedBytes(transaction: Fields, asked: unknown): boolean {
  if (hasUnusualAuthorization(transaction)) return true
  try {
    const serialized = serializeRpcTransaction(transaction as unknown as RpcTransaction)
    return serialized === undefined || isSame(keccak256(serialized), asked)
  } catch {
    return false
  }
}

function hasUnusualAuthorization({ type, authorizationList }: Fields): boolean {
  const isUnusual = (each: unknown) => isObject(each) && !hasForms(each, authorizationForms)
  return type === '0x4' && Array.isArray(authorizationList) && authorizationList.some(isUnusual)
}

function isReceipt(result: unknown, asked: unknown): boolean {
  if (!hasForms(result, receiptForms) || !isSame(result['transactionHash'], asked)) return false
  const { blockHash, logs } = result
  return Array.isArray(logs) && logs.every((log) => isLogOf(log, { blockHash, transactionHash: asked }))
}

/** Returns whether a value is a log of the given block and transaction, if a block or a transaction is given. */
function isLogOf(log: unknown, { blockHash, transactionHash }: Fields): boolean {
  if (!hasForms(log, logForms)) return false
  const { topics } = log
  if (!Array.isArray(topics) || topics.length > 4 || !topics.every((topic) => matches(hash, topic))) return false
  const isSameIfKnown = (found: unknown, asked: unknown) => isAbsent(found) || isAbsent(asked) || isSame(found, asked)
  return isSameIfKnown(log['blockHash'], blockHash) && isSameIfKnown(log['transactionHash'], transactionHash)
}

function hasForms(value: unknown, { required, optional }: FieldForms): value is Fields {
  if (!isObject(value)) return false
  const isOptional = ([name, form]: readonly [string, Form]) => isAbsent(value[name]) || matches(form, value[name])
  return (
    Object.entries(required).every(([name, form]) => matches(form, value[name])) &&
    Object.entries(optional).every(isOptional)
  )
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function isSame(found: unknown, asked: unknown): boolean {
  return typeof found === 'string' && typeof asked === 'string' && found.toLowerCase() === asked.toLowerCase()
}

function matches(form: Form, value: unknown): value is string {
  return typeof value === 'string' && form.test(value)
}

import { Errors, Integer, type Address, type ServiceError } from '@agio/core'
import {
  getAddress,
  hexToNumber,
  keccak256,
  maxUint256,
  parseTransaction,
  recoverTransactionAddress,
  type Hex,
  slice,
  type TransactionSerializableGeneric,
  type TransactionSerialized,
} from 'viem'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { FeeCeilings } from '../gas/createFeeCeilings.ts'
import { readL1Fee, toUnsignedBytes, type L1Fee } from '../gas/l1DataFee.ts'
import { readFees, type Fees } from '../gas/readFees.ts'
import { estimateGas, withMargin } from '../gas/estimateGas.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { toCallError } from '../revert/toRevertError.ts'
import { readReceipt } from '../transaction/readReceipt.ts'
import { serializeRpcTransaction } from '../transport/serializeRpcTransaction.ts'

/**
 * An unsigned transaction with the sender and nonce of a pending transaction, and with fees high enough to replace it.
 */
export type BuiltReplacement = ReplacementCall & L1Fee

type ReplacementCall = Fees & {
  readonly from: Address
  readonly nonce: number
  readonly to: Address
  readonly data: Hex
  readonly valueWei: bigint
  readonly gasLimit: bigint
}

/**
 * Builds the replacement of a pending transaction: the same call, or an empty transfer to its sender that cancels it.
 * Both fees are at least the current market fees, and at least an eighth above the fees of the pending transaction. No
 * node demands a larger increase.
 *
 * @throws `svc/already-mined` if the transaction is mined; `svc/transaction-not-found` if it is not pending at any
 * node and its bytes are not given; `svc/invalid-request` for a type without a signature, and for a speed-up of a transaction that creates a
 * contract, has an access list, or is of a type with more than a call; `svc/reverted` if the code of the sender refuses
 * the transfer
 */
export async function buildReplacement(
  { rpc, feeCeilings }: buildReplacement.Dependencies,
  options: buildReplacement.Options,
): Promise<BuiltReplacement> {
  const [pending, market] = await Promise.all([readPending(rpc, options), readFees({ rpc, feeCeilings })])
  const { from, nonce } = pending
  const fees = raiseFees(pending, market)
  if (options.kind === 'cancel') {
    const [gasLimit, l1Fee] = await Promise.all([
      estimateTransfer(rpc, from),
      readL1Fee(rpc, toUnsignedBytes({ to: from, data: '0x' })),
    ])
    return { from, nonce, to: from, data: '0x', valueWei: 0n, gasLimit, ...fees, ...l1Fee }
  }
  const { to, data, valueWei, gasLimit, type, hasAccessList } = pending
  if (to === undefined) throw cannotReplace(options, 'it creates a contract')
  if (hasAccessList) throw cannotReplace(options, 'it has an access list')
  if (type > maxRepeatableType) throw cannotReplace(options, `transactions of type ${type} cannot be sped up`)
  const l1Fee = await readL1Fee(rpc, toUnsignedBytes({ to, data, value: valueWei }))
  return { from, nonce, to, data, valueWei, gasLimit, ...fees, ...l1Fee }
}

export declare namespace buildReplacement {
  type Dependencies = { readonly rpc: Rpc; readonly feeCeilings: FeeCeilings }
  type Options = {
    readonly hash: Hex
    readonly kind: 'speed-up' | 'cancel'
    /** The bytes of the transaction, for nodes that do not show pending transactions. Their hash must be `hash`. */
    readonly serialized?: TransactionSerialized | undefined
  }
}

// Above legacy transactions, transactions with an access list, and EIP-1559.
const maxRepeatableType = 2

function cannotReplace({ hash, kind }: buildReplacement.Options, reason: string): ServiceError {
  const verb = kind === 'cancel' ? 'cancel' : 'speed up'
  return Errors.invalidRequest({
    field: 'transactionHash',
    value: hash,
    action: `${verb} transaction ${hash}`,
    reason,
  })
}

async function readPending(rpc: Rpc, options: buildReplacement.Options): Promise<Pending> {
  const { hash } = options
  const [receipt, transaction] = await Promise.all([
    readReceipt(rpc, hash),
    rpc.client.request({ method: 'eth_getTransactionByHash', params: [hash] }),
  ]).catch(rethrowUpstream)
  const mined = receipt?.blockNumber ?? transaction?.blockNumber
  if (mined !== undefined && mined !== null) {
    throw Errors.alreadyMined({ hash, blockNumber: BigInt(mined) })
  }
  if (transaction) {
    const serialized = serializeRpcTransaction(transaction)
    if (serialized === undefined) throw cannotReplace(options, 'its type has no signature')
    return await parseSigned(serialized, options)
  }
  if (options.serialized !== undefined) return await parseSigned(options.serialized, options)
  const reason = 'no node shows it as pending. Send its bytes as signedTransaction'
  throw Errors.transactionNotFound({ hash, verb: 'replace', reason })
}

type Pending = Omit<ReplacementCall, 'to'> & {
  /** The called account; undefined if the transaction creates a contract. */
  readonly to: Address | undefined
  readonly type: number
  readonly hasAccessList: boolean
}

/**
 * Returns the fields of a transaction from its signed bytes, which a node cannot forge: they must have the requested hash. `isValidResult` refuses other bytes of most types before, so that the next node is asked. The sender
 * comes from the signature, because the bytes do not contain `from`.
 */
async function parseSigned(serialized: TransactionSerialized, options: buildReplacement.Options): Promise<Pending> {
  if (keccak256(serialized) !== options.hash.toLowerCase()) throw cannotReplace(options, 'its fields are not proven')
  const from = await recoverTransactionAddress({ serializedTransaction: serialized }).catch(rethrowUpstream)
  const firstByte = hexToNumber(slice(serialized, 0, 1))
  const signed: TransactionSerializableGeneric = parseTransaction(serialized)
  const { to, nonce = 0, data = '0x', value = 0n, gas = 0n, accessList = [], ...fees } = signed
  const { gasPrice = 0n, maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = fees
  return {
    from: getAddress(from),
    to: to ? getAddress(to) : undefined,
    nonce,
    data,
    valueWei: value,
    gasLimit: gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    // The bytes of a legacy transaction begin with its list.
    type: firstByte < 0xc0 ? firstByte : 0,
    hasAccessList: accessList.length > 0,
  }
}

/** Returns the larger of the market's fees and the transaction's own fees plus an eighth. */
function raiseFees(pending: Fees, market: Fees): Fees {
  const raise = (pendingFee: bigint, marketFee: bigint) => Integer.max(pendingFee + pendingFee / 8n + 1n, marketFee)
  const maxPriorityFeePerGas = raise(pending.maxPriorityFeePerGas, market.maxPriorityFeePerGas)
  const maxFeePerGas = raise(pending.maxFeePerGas, market.maxFeePerGas)
  // A node may return any fees for the pending transaction.
  return {
    maxPriorityFeePerGas: Integer.min(maxPriorityFeePerGas, maxUint256),
    maxFeePerGas: Integer.min(Integer.max(maxFeePerGas, maxPriorityFeePerGas), maxUint256),
  }
}

const transferGas = 21_000n

/** Estimates the gas of an empty transfer to oneself. A rollup and an account with code need more than 21,000. */
async function estimateTransfer(rpc: Rpc, from: Address): Promise<bigint> {
  const gas = await estimateGas(rpc, [{ from, to: from }]).catch((error: unknown) => {
    throw toCallError(error)
  })
  return gas === transferGas ? gas : withMargin(gas)
}

import { Errors, type Address, type ServiceError } from '@agio/core'
import { getAddress, hexToBigInt, hexToNumber, type Hex } from 'viem'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { readFees, type Fees } from '../gas/readFees.ts'
import { withMargin } from '../gas/withMargin.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { toCallError } from '../revert/toCallError.ts'
import { readReceipt } from '../transaction/readReceipt.ts'

/** An unsigned transaction of the same sender and nonce as a pending one, with fees that take its place. */
export type BuiltReplacement = Fees & {
  readonly from: Address
  readonly nonce: number
  readonly to: Address
  readonly data: Hex
  readonly valueWei: bigint
  readonly gasLimit: bigint
}

/**
 * Builds the replacement of a pending transaction: its own call, or an empty transfer to its sender that cancels it. Both fees are
 * those of the present market, and at least an eighth above its own, more than any node demands.
 *
 * @throws `svc/already-mined` if it is mined; `svc/transaction-not-found` if no node has it pending; `svc/invalid-request` for a
 * speed-up of a transaction that creates a contract, has an access list, or is of a type that has more than a call; `svc/reverted` if
 * the code of the sender refuses the transfer
 */
export async function buildReplacement(rpc: Rpc, { hash, kind }: buildReplacement.Request): Promise<BuiltReplacement> {
  const [pending, market] = await Promise.all([readPending(rpc, hash), readFees(rpc)])
  const { from, nonce } = pending
  const fees = raiseFees(pending, market)
  if (kind === 'cancel') {
    const gasLimit = await estimateTransfer(rpc, from)
    return { from, nonce, to: from, data: '0x', valueWei: 0n, gasLimit, ...fees }
  }
  const { to, data, valueWei, gasLimit, type, hasAccessList } = pending
  if (to === undefined) throw cannotRepeat(hash, 'it creates a contract')
  if (hasAccessList) throw cannotRepeat(hash, 'it has an access list')
  if (!repeatableTypes.has(type))
    throw cannotRepeat(hash, `it is of type ${hexToNumber(type)}, which has more than a call`)
  return { from, nonce, to, data, valueWei, gasLimit, ...fees }
}

export declare namespace buildReplacement {
  type Request = { readonly hash: Hex; readonly kind: 'speed-up' | 'cancel' }
}

// Without and with a list of accesses, and EIP-1559.
const repeatableTypes: ReadonlySet<Hex> = new Set(['0x0', '0x1', '0x2'])

function cannotRepeat(hash: Hex, reason: string): ServiceError {
  return Errors.invalidRequest({
    field: 'transactionHash',
    value: hash,
    action: `speed up transaction ${hash}`,
    reason,
  })
}

async function readPending(rpc: Rpc, hash: Hex) {
  const [receipt, transaction] = await Promise.all([
    readReceipt(rpc, hash),
    rpc.client.request({ method: 'eth_getTransactionByHash', params: [hash] }),
  ]).catch(rethrowUpstream)
  const mined = receipt?.blockNumber ?? transaction?.blockNumber
  if (mined !== undefined && mined !== null) {
    throw Errors.alreadyMined({ hash, blockNumber: BigInt(mined) })
  }
  if (!transaction) {
    throw Errors.transactionNotFound({ hash, verb: 'replace', reason: 'no node has it pending' })
  }
  const { from, to, nonce, input, value, gas, gasPrice = '0x0', type, accessList } = transaction
  const { maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = transaction
  return {
    from: getAddress(from),
    to: to ? getAddress(to) : undefined,
    nonce: hexToNumber(nonce),
    data: input,
    valueWei: hexToBigInt(value),
    gasLimit: hexToBigInt(gas),
    maxFeePerGas: hexToBigInt(maxFeePerGas),
    maxPriorityFeePerGas: hexToBigInt(maxPriorityFeePerGas),
    type: type as Hex,
    hasAccessList: accessList !== undefined && accessList.length > 0,
  }
}

/** The larger of an eighth more than the fees of a transaction, and of the market's. */
function raiseFees(own: Fees, market: Fees): Fees {
  const raise = (fee: bigint, present: bigint) => max(fee + fee / 8n + 1n, present)
  const maxPriorityFeePerGas = raise(own.maxPriorityFeePerGas, market.maxPriorityFeePerGas)
  const maxFeePerGas = raise(own.maxFeePerGas, market.maxFeePerGas)
  return { maxPriorityFeePerGas, maxFeePerGas: max(maxFeePerGas, maxPriorityFeePerGas) }
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

const transferGas = 21_000n

/** The gas of an empty transfer to oneself: on a rollup more than a transfer, and for an account with code. */
async function estimateTransfer({ client }: Rpc, from: Address): Promise<bigint> {
  const gas = await client
    .request({ method: 'eth_estimateGas', params: [{ from, to: from }] })
    .then(BigInt)
    .catch((error: unknown) => {
      throw toCallError(error)
    })
  return gas === transferGas ? gas : withMargin(gas)
}

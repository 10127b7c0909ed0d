import {
  formatTransaction,
  serializeTransaction,
  type Hex,
  type RpcTransaction,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem'

// Rollups create transactions of further types, such as deposits, without a signature.
const signedTypes: ReadonlySet<Hex> = new Set(['0x0', '0x1', '0x2', '0x3', '0x4'])

/**
 * Returns the signed bytes of a transaction that a node returned. The keccak256 of the bytes is the transaction's hash.
 * Returns undefined for a type without a signature.
 *
 * @throws viem's errors if a field of the type is missing or malformed
 */
export function serializeRpcTransaction(transaction: RpcTransaction): TransactionSerialized | undefined {
  // Older nodes return legacy transactions without a type.
  const typeHex = transaction.type ?? '0x0'
  if (!signedTypes.has(typeHex)) return undefined
  const formatted = formatTransaction({ ...transaction, type: typeHex } as RpcTransaction)
  const { type, input, r, s, v, yParity } = formatted
  // The `v` of a legacy transaction contains the chain id, if the transaction has one.
  const chainId = type === 'legacy' ? undefined : formatted.chainId
  return serializeTransaction({ ...formatted, chainId, data: input } as TransactionSerializable, { r, s, v, yParity })
}

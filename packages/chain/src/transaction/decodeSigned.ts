import { Errors, type Address, type Network, type ServiceError } from '@agio/core'
import { intrinsicGas } from '../gas/estimateGas.ts'
import { getAddress, keccak256, parseTransaction, recoverTransactionAddress, type Hex } from 'viem'

// Half of the order of secp256k1.
const halfCurveOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** A signed EIP-1559 transaction, decoded without a node. */
export type SignedTransaction = {
  readonly serialized: Hex
  readonly hash: Hex
  readonly from: Address
  /** The called account; undefined if the transaction creates a contract. */
  readonly to: Address | undefined
  readonly data: Hex
  readonly nonce: number
  /** Wei that the transaction transfers. */
  readonly valueWei: bigint
  /** Wei that the sender needs: the value plus the maximum fee for the whole gas limit. */
  readonly requiredWei: bigint
}

/**
 * Decodes a signed transaction.
 *
 * @throws `svc/invalid-transaction` if it does not decode, is not of type 2, or is not signed
 * @throws `svc/wrong-chain` if it is for another chain
 */
export async function decodeSigned(serialized: Hex, chainId: Network.ChainId): Promise<SignedTransaction> {
  if (!serialized.startsWith('0x02')) throw refuse('it is not of type 2 (EIP-1559)')
  const type2 = serialized as `0x02${string}`
  const transaction = parse(type2)
  if (transaction.chainId !== chainId) {
    throw Errors.wrongChain({ chainId, signedChainId: transaction.chainId })
  }
  if (transaction.r === undefined || transaction.s === undefined) throw refuse('it is not signed')
  if (BigInt(transaction.s) > halfCurveOrder)
    throw refuse('its signature is malleable (EIP-2): s is above half of the order')
  const neededGas = intrinsicGas(transaction.data ?? '0x')
  if ((transaction.gas ?? 0n) < neededGas) throw refuse(`its gas limit is below its intrinsic gas of ${neededGas}`)
  const from = await recoverTransactionAddress({ serializedTransaction: type2 }).catch((cause: unknown) => {
    throw refuse('its signature is not valid', cause)
  })
  const { to, data = '0x', gas = 0n, maxFeePerGas = 0n, nonce = 0, value = 0n } = transaction
  return {
    serialized,
    hash: keccak256(serialized),
    from: getAddress(from),
    to: to ? getAddress(to) : undefined,
    data,
    nonce,
    valueWei: value,
    requiredWei: gas * maxFeePerGas + value,
  }
}

function parse(serialized: `0x02${string}`) {
  try {
    return parseTransaction(serialized)
  } catch (error) {
    throw refuse('it does not decode', error)
  }
}

function refuse(reason: string, cause?: unknown): ServiceError<'svc/invalid-transaction'> {
  return Errors.invalidTransaction({ reason, cause })
}

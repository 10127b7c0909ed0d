import { isObject, Timestamp } from '@agio/core'
import { hexToBigInt, isHex, size, type Hex } from 'viem'

/** The fields of a block that are needed to follow the chain. */
export type Head = {
  readonly number: bigint
  readonly hash: Hex
  readonly timestampSeconds: bigint
  readonly parentHash?: Hex | undefined
  /** Wei per gas. */
  readonly baseFeePerGas?: bigint | undefined
}

/** Returns whether two announced blocks are the same: a node may return a hash with a wrong number or time. */
export function isSameHead(head: Head, other: Head): boolean {
  return head.hash === other.hash && head.number === other.number && head.timestampSeconds === other.timestampSeconds
}

/** Converts a node's block or header to a head. @throws `Error` if it is not a mined block */
export function toHead(block: unknown): Head {
  const { number, hash, timestamp, parentHash, baseFeePerGas } = isObject(block) ? block : {}
  if (!isQuantity(number) || !isQuantity(timestamp) || !isHash(hash))
    throw new Error('the node returns no newest block')
  const timestampSeconds = hexToBigInt(timestamp)
  if (timestampSeconds > Timestamp.maxSeconds) throw new Error('the node returns a block after the year 9999')
  return {
    number: hexToBigInt(number),
    hash,
    timestampSeconds,
    ...(isHash(parentHash) && { parentHash }),
    ...(isQuantity(baseFeePerGas) && { baseFeePerGas: hexToBigInt(baseFeePerGas) }),
  }
}

/** Returns whether a value is a quantity that a JavaScript number holds exactly. */
function isQuantity(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value)
}

function isHash(value: unknown): value is Hex {
  return isHex(value) && size(value) === 32
}

import { hexToBigInt, isHex, size, type Hex } from 'viem'

/** The fields of a block that are needed to follow the chain. */
export type Head = {
  readonly number: bigint
  readonly hash: Hex
  readonly timestampSeconds: bigint
  readonly parentHash?: Hex | undefined
}

/** Converts a node's block or header to a head. @throws `Error` if it is not a mined block */
export function toHead(block: unknown): Head {
  const { number, hash, timestamp, parentHash } = { ...(block as Readonly<Record<string, unknown>> | null) }
  if (!isQuantity(number) || !isQuantity(timestamp) || !isHash(hash))
    throw new Error('the node returns no newest block')
  return {
    number: hexToBigInt(number),
    hash,
    timestampSeconds: hexToBigInt(timestamp),
    ...(isHash(parentHash) && { parentHash }),
  }
}

function isQuantity(value: unknown): value is Hex {
  return isHex(value) && value.length > 2
}

function isHash(value: unknown): value is Hex {
  return isHex(value) && size(value) === 32
}

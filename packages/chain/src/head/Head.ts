import type { Hex } from 'viem'

/** A block, by what following the chain needs of it. */
export type Head = {
  readonly number: bigint
  readonly hash: Hex
  readonly timestampSeconds: bigint
  readonly parentHash?: Hex | undefined
}

import type { Hex } from 'viem'

/** The newest block that a node has confirmed. */
export type Head = {
  readonly number: bigint
  readonly hash: Hex
  readonly timestampSeconds: bigint
  readonly parentHash?: Hex | undefined
}

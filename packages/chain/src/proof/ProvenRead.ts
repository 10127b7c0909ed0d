import type { Hex } from 'viem'
import type { RpcRequest } from '../transport/NodeLink.ts'

/** An `eth_call` of code of ours, whose result proves that it was made by this code, and on which chain. */
export type ProvenRead<Value> = {
  readonly request: RpcRequest
  /** Whether an error may be due to what a caller requests, unless it is a revert: the code never reverts. */
  readonly canFail: boolean
  /** Whether the code at the other end is known to give no proof, so that the chain id has to be requested beside the read. */
  readonly lacksProof: boolean
  /** @throws `Error` for a result that the code cannot have returned */
  decode(result: Hex): Proven<Value>
}

/** A decoded result, and the chain that it proves; undefined if it is one of code that gives no proof. */
export type Proven<Value> = { readonly chainId: number | undefined; readonly value: Value }

/** A node has answered a proven read with something that the called code cannot have returned. */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError'

  constructor(cause: unknown) {
    super('the node returns what the called code cannot have returned', { cause })
  }
}

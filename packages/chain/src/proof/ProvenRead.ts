import type { Hex } from 'viem'
import type { RpcRequest } from '../transport/NodeLink.ts'

/** An `eth_call` of our code. Its result proves that this code made it, and on which chain. */
export type ProvenRead<Value> = {
  readonly request: RpcRequest
  /** Whether an error other than a revert may be due to the caller's request. The code never reverts. */
  readonly canFail: boolean
  /** Whether the called code is known to give no proof, so that the chain id must be requested in parallel. */
  readonly lacksProof: boolean
  /** Decodes a result. @throws `Error` for a result that the code cannot return */
  decode(result: Hex): Proven<Value>
}

/** A decoded result, and the chain that it proves; undefined if the code gives no proof. */
export type Proven<Value> = { readonly chainId: number | undefined; readonly value: Value }

/** A node has answered a proven read with a result that the called code cannot return. */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError'

  constructor(cause: unknown) {
    super('the node returned a result that the called code cannot return', { cause })
  }
}

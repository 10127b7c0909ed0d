import { type Hex, size, slice } from 'viem'
import type { RpcRequest } from '../transport/NodeLink.ts'

/** An `eth_call` of our code. Its result proves that this code made it, and on which chain. */
export type ProvenRead<Value> = {
  readonly request: RpcRequest
  /** Whether an error other than a revert may be due to the caller's request. The code never reverts. */
  readonly canFail: boolean
  /** Whether the called code is known to give no proof, so that the chain id must be requested in parallel. */
  readonly lacksProof: boolean
  /** Decodes a result of a node. @throws `Error` for a result that the code cannot return */
  decode(result: Hex, node: object): Proven<Value>
}

/** A decoded result, and the chain that it proves; undefined if the code gives no proof. */
export type Proven<Value> = { readonly chainId: number | undefined; readonly value: Value }

/**
 * A result whose block has another time than the announced block. The node that answered may have an older state, or the
 * node that announced the block may have reported a wrong time. So no node is at fault, and the next node is asked.
 */
export class OtherBlockError extends Error {
  override readonly name = 'OtherBlockError'
}

/** A node has answered a proven read with a result that the called code cannot return. */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError'

  constructor(cause: unknown) {
    super('the node returned a result that the called code cannot return', { cause })
  }
}

// keccak256 of "agio.ChainProof.1": the marker of contracts/ChainProof.sol.
const marker = '0x066fbb4400306e39b6aaadd2e88e30de9ba9c3b0bab1a29e476d8c507aec0d0e'

/** The size of the proof that begins a result, in bytes. */
export const proofSize = 64

/** Returns the chain on which our code has made a result; undefined if the result does not begin with a proof. */
export function findProvenChainId(result: Hex): number | undefined {
  if (size(result) < proofSize || !result.startsWith(marker)) return undefined
  return Number(slice(result, 32, 64))
}

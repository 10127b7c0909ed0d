import { size, slice, type Hex } from 'viem'

// keccak256 of "agio.ChainProof.1": the marker of contracts/ChainProof.sol.
const marker = '0x066fbb4400306e39b6aaadd2e88e30de9ba9c3b0bab1a29e476d8c507aec0d0e'

/** The size of the proof that begins a result, in bytes. */
export const proofSize = 64

/** Returns the chain on which our code has made a result; undefined if the result does not begin with a proof. */
export function findProvenChainId(result: Hex): number | undefined {
  if (size(result) < proofSize || !result.startsWith(marker)) return undefined
  return Number(slice(result, 32, 64))
}

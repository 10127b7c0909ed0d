import { hexToBytes, type Hex } from 'viem'

/** What a transaction costs before its first instruction: 21,000, and 4 for a zero byte of calldata, 16 for another. */
export function intrinsicGas(data: Hex): bigint {
  return hexToBytes(data).reduce((gas, byte) => gas + (byte === 0 ? 4n : 16n), 21_000n)
}

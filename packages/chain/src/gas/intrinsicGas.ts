import { hexToBytes, type Hex } from 'viem'

/**
 * Returns the gas of a transaction before its first instruction: 21,000, plus 4 per zero byte and 16 per other byte of
 * calldata.
 */
export function intrinsicGas(data: Hex): bigint {
  return hexToBytes(data).reduce((gas, byte) => gas + (byte === 0 ? 4n : 16n), 21_000n)
}

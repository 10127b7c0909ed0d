import type { WalletTransaction } from '../api/schemas.ts'
import type { WalletLink } from './createWalletLink.ts'
import { invalidResponse, parseObject, parseWei } from './rpcValues.ts'
import { ignoreWalletFailure } from './toWalletError.ts'
import type { FeeMarket } from './WalletSession.ts'

/** Returns the gas of a call by the node of a wallet, or undefined if the node has no estimate. */
export async function estimateGas(
  link: WalletLink,
  { from, to, data, value }: WalletTransaction,
): Promise<bigint | undefined> {
  const method = 'eth_estimateGas'
  return await ignoreWalletFailure(async () => parseWei(await link.read(method, [{ from, to, data, value }]), method))
}

/** Reads the base fee of the next block, and the median tip of the last five blocks. @throws `wallet/failed` */
export async function readFeeMarket(link: WalletLink): Promise<FeeMarket> {
  const method = 'eth_feeHistory'
  const { baseFeePerGas, reward = [] } = parseObject(await link.read(method, ['0x5', 'latest', [50]]), method)
  const baseFees = parseList(baseFeePerGas, method)
  const tips = parseList(reward, method).map((row) => parseWei(parseList(row, method)[0] ?? '0x0', method))
  const sorted = [...tips].sort((a, b) => (a < b ? -1 : 1))
  return {
    baseFeePerGas: parseWei(baseFees.at(-1), method),
    medianTip: sorted[Math.floor(sorted.length / 2)] ?? 0n,
  }
}

function parseList(value: unknown, method: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw invalidResponse(value, method)
}

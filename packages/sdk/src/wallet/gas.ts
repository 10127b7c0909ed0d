import type { WalletTransaction } from '../api/schemas.ts'
import type { WalletLink } from './createWalletLink.ts'
import { invalidResponse, parseObject, parseWei, toQuantity } from './rpcValues.ts'
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

// The service may build a transaction some blocks before the node is asked. A base fee may fall by an eighth with each block.
const baseFeeBlocks = 20
const tipBlocks = 5

/** Reads the base fees of the next block and the last blocks, and the median tip. @throws `wallet/failed` */
export async function readFeeMarket(link: WalletLink): Promise<FeeMarket> {
  const method = 'eth_feeHistory'
  const params = [toQuantity(baseFeeBlocks), 'latest', [50]]
  const { baseFeePerGas, reward = [] } = parseObject(await link.read(method, params), method)
  const baseFees = parseList(baseFeePerGas, method).map((fee) => parseWei(fee, method))
  const next = baseFees.at(-1)
  if (next === undefined) throw invalidResponse(baseFeePerGas, method)
  const rows = parseList(reward, method).slice(-tipBlocks)
  const tips = rows.map((row) => parseWei(parseList(row, method)[0] ?? '0x0', method))
  const sorted = [...tips].sort((a, b) => (a < b ? -1 : 1))
  return {
    baseFeePerGas: next,
    highestBaseFeePerGas: baseFees.reduce((highest, fee) => (fee > highest ? fee : highest)),
    medianTip: sorted[Math.floor(sorted.length / 2)] ?? 0n,
  }
}

function parseList(value: unknown, method: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw invalidResponse(value, method)
}

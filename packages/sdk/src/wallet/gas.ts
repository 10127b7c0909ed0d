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

// The service may have built a transaction some blocks before the node is asked. A base fee may fall by an eighth with each block.
const historyBlocks = 20
const tipBlocks = 5

/** Reads the fees of the market. @throws `wallet/failed` */
export async function readFeeMarket(link: WalletLink): Promise<FeeMarket> {
  const method = 'eth_feeHistory'
  const params = [toQuantity(historyBlocks), 'latest', [50]]
  const { baseFeePerGas, reward } = parseObject(await link.read(method, params), method)
  const baseFees = parseList(baseFeePerGas, method).map((fee) => parseWei(fee, method))
  const tips = Array.isArray(reward) ? reward.map(toTip) : []
  const [newest] = baseFees.slice(-1)
  if (newest === undefined) throw invalidResponse(baseFeePerGas, method)
  const medians = tips.slice(tipBlocks - 1).map((_, index) => findMedian(tips.slice(index, index + tipBlocks)))
  const medianTip = findMedian(tips.slice(-tipBlocks))
  return {
    newest: { baseFeePerGas: newest, medianTip },
    highest: { baseFeePerGas: findHighest(baseFees), medianTip: findHighest([...medians, medianTip]) },
  }
}

/** Returns the tip of a block. Networks without tips return no list, null or negative numbers, which count as zero. */
function toTip(row: unknown): bigint {
  const [tip]: readonly unknown[] = Array.isArray(row) ? row : []
  return typeof tip === 'string' && /^0x[0-9a-f]+$/i.test(tip) ? BigInt(tip) : 0n
}

/** Returns the median, or zero of an empty list. */
function findMedian(values: readonly bigint[]): bigint {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
}

function findHighest(values: readonly bigint[]): bigint {
  return values.reduce((highest, value) => (value > highest ? value : highest), 0n)
}

function parseList(value: unknown, method: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw invalidResponse(value, method)
}

import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'

// The minimum tip that an idle test network requires, in wei.
const minPriorityFee = 1_000_000n

/**
 * Reads the fees to offer: twice the next block's base fee, plus the median tip of the last five blocks. The
 * transaction remains includable for six full blocks.
 *
 * @throws `svc/upstream-*`
 */
export async function readFees({ client }: Pick<Rpc, 'client'>): Promise<Fees> {
  const history = await client.getFeeHistory({ blockCount: 5, rewardPercentiles: [50] }).catch(rethrowUpstream)
  const { baseFeePerGas, reward = [] } = history
  const tips = reward.map(([tip = 0n]) => tip).toSorted((a, b) => (a < b ? -1 : 1))
  const tip = tips[Math.floor(tips.length / 2)] ?? 0n
  const maxPriorityFeePerGas = tip > minPriorityFee ? tip : minPriorityFee
  return { maxPriorityFeePerGas, maxFeePerGas: 2n * (baseFeePerGas.at(-1) ?? 0n) + maxPriorityFeePerGas }
}

/** Wei per gas, for an EIP-1559 transaction. */
export type Fees = {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

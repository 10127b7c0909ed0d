import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'

// The tip that an idle test network still requires, in wei.
const minPriorityFee = 1_000_000n

/**
 * The fees to offer: twice the next block's base fee, so that the transaction stays includable for six full blocks, plus
 * the median tip of the last five blocks.
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

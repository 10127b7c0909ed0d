import { hexToBigInt, numberToHex, type Hex } from 'viem'
import { DoubtfulError } from '../errors/DoubtfulError.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { findMedian, isWithin, type FeeCeilings, type FeeMarket } from './createFeeCeilings.ts'

// The minimum tip that an idle test network requires, in wei.
const minPriorityFee = 1_000_000n

const feeHistory = { method: 'eth_feeHistory', params: [numberToHex(5), 'latest', [50]] }

/**
 * Reads the fees to offer: twice the next block's base fee, plus the median tip of the last five blocks. The
 * transaction remains includable for six full blocks.
 *
 * Fees outside their bounds are asked of the next node. If all nodes return such fees, `feeCeilings.settle` chooses. The fees of
 * the only node are doubtful only if they contradict its newest block or the ceilings of the network.
 *
 * @throws `svc/upstream-*`
 */
export async function readFees({ rpc, feeCeilings }: readFees.Dependencies): Promise<Fees> {
  const [bounds, nodeCount] = [feeCeilings.get(), rpc.nodes.length]
  const doubtful: FeeMarket[] = []
  const check = (history: unknown): Fees => {
    const market = toMarket(history as FeeHistory)
    if (isWithin(market, bounds)) return toFees(market)
    if (nodeCount === 1) {
      const { baseFee, tip } = feeCeilings.settle({ answers: [market], nodeCount })
      if (baseFee === market.baseFee && tip === market.tip) return toFees(market)
    }
    doubtful.push(market)
    throw new DoubtfulError('fees outside their bounds', market)
  }
  return await rpc.readChecked(feeHistory, { subject: 'fees', check }).catch((error: unknown) => {
    if (!(error instanceof DoubtfulError)) return rethrowUpstream(error)
    return toFees(feeCeilings.settle({ answers: doubtful, nodeCount }))
  })
}

export declare namespace readFees {
  type Dependencies = {
    readonly rpc: Pick<Rpc, 'readChecked' | 'nodes'>
    readonly feeCeilings: Pick<FeeCeilings, 'get' | 'settle'>
  }
}

/** Wei per gas, for an EIP-1559 transaction. */
export type Fees = {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

type FeeHistory = { readonly baseFeePerGas: readonly Hex[]; readonly reward?: unknown }

function toMarket({ baseFeePerGas, reward }: FeeHistory): FeeMarket {
  const tip = findMedian(Array.isArray(reward) ? reward.map(toTip) : [])
  return { baseFee: hexToBigInt(baseFeePerGas.at(-1) ?? '0x0'), tip }
}

/** Returns the tip of a block. Chains without tips return null or negative numbers, which count as zero. */
function toTip(row: unknown): bigint {
  const [tip]: readonly unknown[] = Array.isArray(row) ? row : []
  return typeof tip === 'string' && /^0x[0-9a-f]{1,64}$/i.test(tip) ? BigInt(tip) : 0n
}

function toFees({ baseFee, tip }: FeeMarket): Fees {
  const maxPriorityFeePerGas = tip > minPriorityFee ? tip : minPriorityFee
  return { maxPriorityFeePerGas, maxFeePerGas: 2n * baseFee + maxPriorityFeePerGas }
}

import { hexToBigInt, numberToHex, type Hex } from 'viem'
import { DoubtfulError } from '../errors/DoubtfulError.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { findMedian, type FeeCeilings } from './createFeeCeilings.ts'

// The minimum tip that an idle test network requires, in wei.
const minPriorityFee = 1_000_000n

const feeHistory = { method: 'eth_feeHistory', params: [numberToHex(5), 'latest', [50]] }

/**
 * Reads the fees to offer: twice the next block's base fee, plus the median tip of the last five blocks. The
 * transaction remains includable for six full blocks.
 *
 * A base fee or a tip above its ceiling is asked of the next node. If all nodes return such fees, the ceiling counts.
 *
 * @throws `svc/upstream-*`
 */
export async function readFees({ rpc, feeCeilings }: readFees.Dependencies): Promise<Fees> {
  const ceilings = feeCeilings.get()
  const check = (history: unknown): Fees => {
    const market = toMarket(history as FeeHistory)
    const bounded = clamp(market, ceilings)
    if (bounded.baseFee === market.baseFee && bounded.tip === market.tip) return toFees(market)
    throw new DoubtfulError('fees above their ceiling', toFees(bounded))
  }
  return await rpc.readChecked(feeHistory, { subject: 'fees', check }).catch((error: unknown) => {
    if (error instanceof DoubtfulError) return error.value as Fees
    return rethrowUpstream(error)
  })
}

export declare namespace readFees {
  type Dependencies = {
    readonly rpc: Pick<Rpc, 'readChecked'>
    readonly feeCeilings: Pick<FeeCeilings, 'get'>
  }
}

/** Wei per gas, for an EIP-1559 transaction. */
export type Fees = {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

type FeeHistory = { readonly baseFeePerGas: readonly Hex[]; readonly reward?: readonly (readonly Hex[])[] | null }

/** The base fee of the next block, and the median tip of recent blocks. */
type Market = { readonly baseFee: bigint; readonly tip: bigint }

function toMarket({ baseFeePerGas, reward }: FeeHistory): Market {
  const tip = findMedian((reward ?? []).map(([first = '0x0']) => hexToBigInt(first)))
  return { baseFee: hexToBigInt(baseFeePerGas.at(-1) ?? '0x0'), tip }
}

function clamp({ baseFee, tip }: Market, { maxBaseFeeWei, maxTipWei }: ReturnType<FeeCeilings['get']>): Market {
  return { baseFee: baseFee < maxBaseFeeWei ? baseFee : maxBaseFeeWei, tip: tip < maxTipWei ? tip : maxTipWei }
}

function toFees({ baseFee, tip }: Market): Fees {
  const maxPriorityFeePerGas = tip > minPriorityFee ? tip : minPriorityFee
  return { maxPriorityFeePerGas, maxFeePerGas: 2n * baseFee + maxPriorityFeePerGas }
}

import { Integer, Network } from '@agio/core'
import type { Head } from '../head/Head.ts'

const rememberedBlocks = 16

// A base fee rises by at most an eighth per block: by eight times in 18 blocks. It falls to three quarters in three
// blocks, and three quarters pay for the next three full blocks, since twice the base fee is offered.
const jump = 8n
const toFloor = (baseFee: bigint) => (baseFee * 3n) / 4n

// On a chain without traffic the base fee is close to zero, and any rise would be a jump.
const minBaseFeeCeilingWei = 10_000_000n

// The first block has no earlier block that it can be compared with.
const firstBaseFeeCeilingWei = 1_000_000_000n

// Unlike a base fee, an offered tip is paid in full. A ceiling rises only after every node has returned more.
const minTipCeilingWei = 100_000_000n
const tipHeadroom = 4n

/**
 * Creates the ceilings and the floor of fees. The base fee may be at most eight times the median of the last 16 blocks,
 * and at least three quarters of the newest block. The tip may be at most 0.1 gwei, or four times the last tip on which
 * the nodes agreed. No ceiling is above the network's own ceilings.
 *
 * A block whose base fee jumps by more than eight times against the median does not count until `settle` confirms it.
 * Otherwise a node that invents the same fee in its blocks and its history would raise its own ceiling.
 */
export function createFeeCeilings(chainId: Network.ChainId) {
  const network = Network.get(chainId).feeCeilings
  const cap = (wei: bigint) => Integer.min(wei, network.maxBaseFeeWei)
  let newest: { readonly hash: Head['hash']; readonly baseFee: bigint } | undefined
  let countedBaseFees: readonly bigint[] = []
  let maxTipWei = Integer.min(minTipCeilingWei, network.maxTipWei)

  function toBounds(baseFees: readonly bigint[]): FeeBounds {
    const last = baseFees.at(-1)
    if (last === undefined) {
      if (!newest) return { minBaseFeeWei: 0n, maxBaseFeeWei: network.maxBaseFeeWei, maxTipWei }
      const first = cap(Integer.min(newest.baseFee, firstBaseFeeCeilingWei))
      return { minBaseFeeWei: toFloor(first), maxBaseFeeWei: cap(firstBaseFeeCeilingWei), maxTipWei }
    }
    const maxBaseFeeWei = cap(Integer.max(minBaseFeeCeilingWei, findMedian(baseFees) * jump))
    return { minBaseFeeWei: cap(toFloor(last)), maxBaseFeeWei, maxTipWei }
  }

  return {
    /** Takes the newest head after each answer of a node. */
    observe({ hash, baseFeePerGas: baseFee }: Head): void {
      if (baseFee === undefined || newest?.hash === hash) return
      newest = { hash, baseFee }
      const { maxBaseFeeWei } = toBounds(countedBaseFees)
      if (baseFee > maxBaseFeeWei || baseFee < findMedian(countedBaseFees) / jump) return
      countedBaseFees = [...countedBaseFees.slice(1 - rememberedBlocks), baseFee]
    },
    /** Returns the bounds of the next block's base fee and of the tip. */
    get: () => toBounds(countedBaseFees),
    /**
     * Returns the fees that count if no node returns fees within the bounds: the base fee that is closest to the bounds, and the
     * smallest tip. A base fee that contradicts the newest block is moved to the bounds. The bounds follow fees that two nodes
     * returned, or the only node.
     */
    settle({
      answers,
      nodeCount,
    }: {
      /** The fees that nodes returned, at least one. */
      readonly answers: readonly FeeMarket[]
      /** The number of nodes of the chain. */
      readonly nodeCount: number
    }): FeeMarket {
      const bounds = toBounds(countedBaseFees)
      const baseFees = answers.map((answer) => answer.baseFee)
      const baseFee = findClosest(baseFees, bounds)
      const tip = Integer.min(answers.map((answer) => answer.tip).reduce(Integer.min), network.maxTipWei)
      const newestBounds = newest && toBounds([newest.baseFee])
      const isInLine = newestBounds !== undefined && clamp(baseFee, newestBounds) === baseFee
      // Otherwise a node could raise its own bounds while no other node answers.
      if (answers.length >= Math.min(2, nodeCount)) {
        if (newest && isInLine) countedBaseFees = [newest.baseFee]
        if (tip > maxTipWei) maxTipWei = Integer.min(tip * tipHeadroom, network.maxTipWei)
      }
      return { baseFee: isInLine ? baseFee : clamp(baseFee, bounds), tip }
    },
  }
}

/** The bounds of the fees on a chain. */
export type FeeCeilings = ReturnType<typeof createFeeCeilings>

/** Bounds of the next block's base fee and of the tip, in wei per gas. */
export type FeeBounds = Network.Network['feeCeilings'] & { readonly minBaseFeeWei: bigint }

/** The base fee of the next block, and the median tip of recent blocks, in wei per gas. */
export type FeeMarket = { readonly baseFee: bigint; readonly tip: bigint }

/** Returns whether fees are within their bounds. */
export function isWithin({ baseFee, tip }: FeeMarket, bounds: FeeBounds): boolean {
  return clamp(baseFee, bounds) === baseFee && tip <= bounds.maxTipWei
}

/** Returns the median of some values, or 0 of no values. Of an even number of values, it is the larger one in the middle. */
export function findMedian(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : 1))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
}

/** Returns the base fee that is outside the bounds by the smallest factor. */
function findClosest(baseFees: readonly bigint[], bounds: FeeBounds): bigint {
  const toFactor = (baseFee: bigint) => {
    const bound = clamp(baseFee, bounds)
    if (baseFee === bound) return 1
    return baseFee > bound ? Number(baseFee) / Number(bound) : Number(bound) / Number(baseFee)
  }
  return baseFees.reduce((closest, baseFee) => (toFactor(baseFee) < toFactor(closest) ? baseFee : closest))
}

function clamp(baseFee: bigint, { minBaseFeeWei, maxBaseFeeWei }: FeeBounds): bigint {
  return Integer.min(Integer.max(baseFee, minBaseFeeWei), maxBaseFeeWei)
}

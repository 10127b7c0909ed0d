import { Network } from '@agio/core'
import type { Head } from '../head/Head.ts'

// A base fee rises by at most an eighth per block: by four times in 12 blocks, and by eight times in 18.
const [headFactor, medianFactor] = [4n, 8n]
const rememberedBlocks = 16

// On a chain without traffic the base fee is close to zero, and any rise would be a multiple.
const minCeilingWei = 1_000_000_000n

/**
 * Creates the ceilings of fees: four times the base fee of the newest block, or eight times the median of the last 16
 * blocks, and never more than the network's own ceilings.
 */
export function createFeeCeilings(chainId: Network.ChainId): FeeCeilings {
  const { maxBaseFeeWei, maxTipWei } = Network.get(chainId).feeCeilings
  let heads: readonly Head[] = []
  return {
    observe(head) {
      if (head.baseFeePerGas === undefined || heads.at(-1)?.hash === head.hash) return
      heads = [...heads.slice(1 - rememberedBlocks), head]
    },
    get() {
      const fees = heads.map(({ baseFeePerGas = 0n }) => baseFeePerGas)
      const newest = fees.at(-1)
      if (newest === undefined) return { maxBaseFeeWei, maxTipWei }
      const bounds = [minCeilingWei, newest * headFactor, findMedian(fees) * medianFactor]
      const ceiling = bounds.reduce((largest, bound) => (bound > largest ? bound : largest))
      return { maxBaseFeeWei: ceiling < maxBaseFeeWei ? ceiling : maxBaseFeeWei, maxTipWei }
    },
  }
}

/** The ceilings of fees on a chain. */
export type FeeCeilings = {
  /** Takes the newest head after each answer of a node. */
  observe(head: Head): void
  /** Returns the ceilings of the next block's base fee and of the tip, in wei per gas. */
  get(): Network.Network['feeCeilings']
}

/** Returns the median of at least one value. Of an even number of values, it is the larger one in the middle. */
export function findMedian(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : 1))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
}

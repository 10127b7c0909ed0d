import type { Address } from '@agio/core'
import { getAddress, parseAbi, parseAbiItem, type PublicClient } from 'viem'

const newCurve = parseAbiItem('event NewCurve(address indexed caller, bytes32 indexed id, address indexed curve)')

/** The functions of a registry of pools, ours or one of the pool family. */
export const registryAbi = parseAbi([
  'function addPool(address pool)',
  'function getCurve(address base, address quote) view returns (address)',
])

// Common limits of providers are 10,000, 2,000, 500 and 10 blocks.
const maxPieceBlocks = 10_000n

/**
 * Lists the pools that a factory has registered since a block, each once, by its events `NewCurve`. It reads the events in
 * pieces. Providers name their limits in many ways, so a piece that fails is halved, down to one block.
 *
 * @throws the error of the node if a piece of one block fails
 */
export async function listRegistered(
  client: Pick<PublicClient, 'getBlockNumber' | 'getLogs'>,
  { factory, fromBlock, onProgress }: listRegistered.Options,
): Promise<readonly Address[]> {
  const newest = await client.getBlockNumber()
  onProgress(`Searching blocks ${fromBlock} to ${newest} for pools of factory ${factory}`)
  const found = new Set<Address>()
  let [start, size] = [fromBlock, maxPieceBlocks]
  while (start <= newest) {
    const end = start + size - 1n < newest ? start + size - 1n : newest
    try {
      const logs = await client.getLogs({ address: factory, event: newCurve, fromBlock: start, toBlock: end })
      for (const { args } of logs) if (args.curve) found.add(getAddress(args.curve))
      start = end + 1n
    } catch (error) {
      if (start === end) throw error
      size = (end - start + 1n) / 2n
      onProgress(`The node refuses ${end - start + 1n} blocks at once: reading ${size}`)
    }
  }
  return [...found]
}

export declare namespace listRegistered {
  type Options = {
    readonly factory: Address
    /** The block in which the factory was deployed, or an earlier one. */
    readonly fromBlock: bigint
    readonly onProgress: (message: string) => void
  }
}

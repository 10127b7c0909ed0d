import type { Owner } from '../harness/connectOwner.ts'

/**
 * Returns the state of a chain to a snapshot, and mines past the blocks that this removes: a service that has seen one of them
 * follows the chain again with its next poll.
 */
export async function undoBlocks({ client }: Owner, id: `0x${string}`): Promise<void> {
  const removed = await client.getBlockNumber({ cacheTime: 0 })
  await client.revert({ id })
  const left = await client.getBlockNumber({ cacheTime: 0 })
  await client.mine({ blocks: Number(removed - left) + 1 })
}

import type { Hex } from 'viem'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Call, Reader } from '../reader/createReader.ts'
import type { Result } from '../reader/decodeReaderResult.ts'
import { readEach } from '../reader/readEach.ts'

/** The number of views that are read together: the gas of one call suffices for them. */
const viewsPerCall = 32

/**
 * Reads any number of views of pools at one block, in one batch of calls.
 *
 * @returns the results in their order; undefined for a view that needs more gas than the node grants
 * @throws `svc/upstream-*`
 */
export async function readViews(
  reader: Reader,
  blockHash: Hex,
  calls: readonly Call[],
): Promise<readonly (Result | undefined)[]> {
  const parts = Array.from({ length: Math.ceil(calls.length / viewsPerCall) }, (_, index) =>
    calls.slice(index * viewsPerCall, (index + 1) * viewsPerCall),
  )
  const read = async (part: readonly Call[]) => (await reader.aggregate(part, blockHash)).results
  const results = await Promise.all(parts.map((part) => readEach(part, read))).catch(rethrowUpstream)
  return results.flat()
}

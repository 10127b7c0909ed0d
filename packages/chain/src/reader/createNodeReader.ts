import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { ProvenRead } from '../proof/ProvenRead.ts'
import { createReader } from './createReader.ts'
import type { ReaderCalls } from './createReaderCalls.ts'

/** Creates a reader that reads from one node only, once the contracts of the chain are verified. */
export function createNodeReader(
  node: Pick<UpstreamNode, 'position' | 'state' | 'readProven'>,
  { readerCalls, verify }: createNodeReader.Dependencies,
) {
  const read = async <Value>(read: ProvenRead<Value>) => {
    await verify()
    return await node.readProven({ read, startedAtMs: performance.now() })
  }
  return { position: node.position, state: node.state, reader: createReader({ read }, readerCalls) }
}

export declare namespace createNodeReader {
  type Dependencies = {
    readonly readerCalls: ReaderCalls
    /** Verifies the contracts of the chain. Returns undefined once they are verified. */
    readonly verify: () => Promise<void> | undefined
  }
}

/** A node, and a reader that reads from this node only. */
export type NodeReader = ReturnType<typeof createNodeReader>

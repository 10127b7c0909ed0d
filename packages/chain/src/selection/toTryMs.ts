import { totalMs } from './totalMs.ts'

const maxTryMs = 4000

/** What one try of one node may take, so that all of them fit into the whole. */
export function toTryMs(nodes: number): number {
  return Math.min(maxTryMs, totalMs / nodes)
}

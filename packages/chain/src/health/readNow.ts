import type { UpstreamNode } from './UpstreamNode.ts'

/** Reads from one node, by a request that begins now. @throws the errors of `UpstreamNode.read` */
export const readNow = (node: Pick<UpstreamNode, 'read'>, method: string, ...params: readonly unknown[]) =>
  node.read({ request: { method, params }, startedAtMs: performance.now() })

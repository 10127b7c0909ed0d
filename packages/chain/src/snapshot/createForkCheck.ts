import { isObject } from '@agio/core'
import { numberToHex } from 'viem'
import { readNow } from '../health/readNow.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'

// Nodes may have different blocks up to this depth, because of a reorganisation.
const reorganisationDepth = 8n

/**
 * Creates the check whether two nodes follow different chains. It compares their blocks eight blocks below the lower of
 * their newest blocks. A node that does not answer, or that does not have the block, has no vote. The check costs two requests
 * to each node.
 */
export function createForkCheck(nodes: readonly Node[]): ForkCheck {
  async function compare(both: readonly Node[]): Promise<boolean> {
    const heads = await Promise.all(both.map((node) => node.readHead(performance.now())))
    const lower = heads.reduce((lowest, { number }) => (number < lowest ? number : lowest), heads[0]?.number ?? 0n)
    if (lower < reorganisationDepth) return false
    const number = lower - reorganisationDepth
    const [hash, other] = await Promise.all(both.map((node) => readHash(node, number)))
    return hash !== undefined && other !== undefined && hash !== other
  }
  return async (...positions) => {
    const both = nodes.filter(({ position }) => positions.includes(position))
    return await compare(both).catch(() => false)
  }
}

/** Returns whether the nodes at two positions have different blocks below the depth of a reorganisation. Never rejects. */
export type ForkCheck = (first: number, second: number) => Promise<boolean>

type Node = Pick<UpstreamNode, 'position' | 'read' | 'readHead'>

async function readHash(node: Node, number: bigint): Promise<unknown> {
  const block = await readNow(node, 'eth_getBlockByNumber', numberToHex(number), false)
  return isObject(block) ? block['hash'] : undefined
}

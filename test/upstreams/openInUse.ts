import type { Chain, createChain, Doubt } from '@agio/chain'
import { numberToHex } from 'viem'
import { expect } from 'vitest'
import type { NodeCall, NodeReply } from '../harness/answerEachCall.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import type { Upstreams } from './startUpstreams.ts'

/** Opens the chain over nodes, and reads the pools, so that the chain is in use. */
export async function openInUse(upstreams: Upstreams, urls?: readonly string[], settings: Settings = {}) {
  const doubts: Doubt[] = []
  const ages = new Set<ReturnType<Chain['heads']['judgeAge']>>()
  const chain = upstreams.open(urls, { onDoubt: (doubt: Doubt) => doubts.push(doubt), ...settings })
  await chain.pools.getSnapshot()
  const { client } = connectOwner(upstreams.chain)
  return {
    chain,
    doubts,
    /** The ages of the blocks that the reads of `mine` have returned. */
    ages: () => [...ages],
    states: () => chain.nodes.list().map(({ state }) => state),
    /** Mines a block, and reads the pools until the service has the block. Each read must succeed. */
    async mine(): Promise<void> {
      await client.mine({ blocks: 1 })
      const { number, hash } = await client.getBlock()
      await expect
        .poll(async () => {
          const { block } = await chain.pools.getSnapshot()
          ages.add(chain.heads.judgeAge(block, (settings.now ?? Date.now)()))
          return block.hash === hash || block.number > (number ?? 0n)
        }, eventually)
        .toBe(true)
    },
  }
}

type Settings = Partial<createChain.Options>

/** Makes a node answer with another newest block. */
export function lieAboutHead(upstreams: Upstreams, proxy: Proxy, change: (block: Block) => Block): void {
  const toLie = async (call: NodeCall, callNode: (call: NodeCall) => Promise<NodeReply>) => {
    const reply = await callNode(call)
    return isHeadRead(call) ? { ...reply, result: change(reply.result as Block) } : reply
  }
  upstreams.answerCalls(proxy, toLie)
}

export type Block = Readonly<Record<'number' | 'hash' | 'parentHash' | 'timestamp', `0x${string}`>>

/** Returns whether a call reads the newest block. */
export const isHeadRead = ({ method, params }: NodeCall) =>
  method === 'eth_getBlockByNumber' && params?.[0] === 'latest'

export const addTo = (quantity: string, value: bigint) => `0x${(BigInt(quantity) + value).toString(16)}` as const

/** Returns a hash that no block has, and another one for each count. */
export const invert = (hash: string, count = 0n) => numberToHex((2n ** 256n - 1n) ^ BigInt(hash) ^ count, { size: 32 })

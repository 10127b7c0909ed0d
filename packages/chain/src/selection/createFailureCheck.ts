import { isObject } from '@agio/core'
import { LRUCache } from 'lru-cache'
import { agree } from '../health/agree.ts'
import type { Doubts } from '../health/createDoubts.ts'
import { readNow } from '../health/readNow.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { RpcRequest } from '../transport/NodeLink.ts'

const maxRemembered = 10_000

/**
 * Creates the check of receipts that say that a transaction failed. A client pays again after such an answer, so other nodes
 * are asked until one confirms it. A node without the receipt abstains. If one contradicts, a third node decides. Without a third
 * node the transaction counts as not mined yet.
 */
export function createFailureCheck({ nodes, doubts }: createFailureCheck.Dependencies): FailureCheck {
  // The failed receipts that another node has confirmed, by transaction and block.
  const confirmed = new LRUCache<string, true>({ max: maxRemembered })
  const isSuccess = (receipt: Receipt) => receipt['status'] === '0x1'
  const isFailed = (receipt: Receipt) => !isSuccess(receipt)

  const toKey = (receipt: Receipt) => `${String(receipt['transactionHash'])} ${String(receipt['blockHash'])}`

  async function decide(node: UpstreamNode, request: RpcRequest, receipt: Receipt): Promise<Receipt | null> {
    const read = async (other: UpstreamNode) => {
      const found = await readNow(other, request.method, ...(request.params as readonly unknown[]))
      return isObject(found) ? found : undefined
    }
    const others = nodes.filter((other) => other !== node && other.isUsable())
    const second = await agree(others, read, { isSame: isFailed })
    if (second.verdict === 'agreed') confirmed.set(toKey(receipt), true)
    if (second.verdict !== 'disagreed') return receipt
    const rest = others.filter((other) => other !== second.node)
    const third = await agree(rest, read, { isSame: isSuccess })
    const wrong = third.verdict === 'disagreed' ? second.node : node
    doubts.add({ subject: 'receipt', position: wrong.position })
    // The third node has the failed receipt too.
    if (third.verdict === 'disagreed') confirmed.set(toKey(receipt), true)
    if (third.verdict === 'none') return null
    return third.verdict === 'agreed' ? third.vote : receipt
  }
  return async (node, request, result) => {
    if (!isObject(result) || isSuccess(result)) return result
    return confirmed.has(toKey(result)) ? result : await decide(node, request, result)
  }
}

export declare namespace createFailureCheck {
  type Dependencies = {
    readonly nodes: readonly UpstreamNode[]
    readonly doubts: Pick<Doubts, 'add'>
  }
}

type Receipt = Readonly<Record<string, unknown>>

/** Returns the result of a node's `eth_getTransactionReceipt`, or what other nodes say if it says that the transaction failed. */
export type FailureCheck = (node: UpstreamNode, request: RpcRequest, result: unknown) => Promise<unknown>

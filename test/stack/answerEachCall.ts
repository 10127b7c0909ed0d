import type { Answer } from './startProxy.ts'

/** A call as it comes to a node. */
export type NodeCall = { readonly id: number; readonly method: string; readonly params?: readonly unknown[] }

/** What a node answers to it. */
export type NodeReply = { readonly id: number; readonly result?: unknown; readonly error?: object }

/**
 * Answers each call of a request by itself, the calls of a batch one after the other.
 *
 * @param nodeUrl the node behind the proxy
 * @param answer gives the reply to one call; `ask` puts a call to the node
 */
export function answerEachCall(
  nodeUrl: string,
  answer: (call: NodeCall, ask: (call: NodeCall) => Promise<NodeReply>) => Promise<NodeReply>,
): Answer {
  const ask = async (call: NodeCall) => {
    const headers = { 'content-type': 'application/json' }
    const asked = { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...call }) }
    return (await (await fetch(nodeUrl, asked)).json()) as NodeReply
  }
  return async ({ body }, response) => {
    const replies: object[] = []
    for (const call of [JSON.parse(body) as NodeCall | NodeCall[]].flat()) {
      replies.push({ jsonrpc: '2.0', ...(await answer(call, ask)) })
    }
    const text = JSON.stringify(body.startsWith('[') ? replies : replies[0])
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  }
}

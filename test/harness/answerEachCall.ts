import type { Answer } from './startProxy.ts'

/** A JSON-RPC call to a node. */
export type NodeCall = { readonly id: number; readonly method: string; readonly params?: readonly unknown[] }

/** The JSON-RPC response to it. */
export type NodeReply = { readonly id: number; readonly result?: unknown; readonly error?: object }

/**
 * Answers each call of a request separately, and the calls of a batch one after the other.
 *
 * @param nodeUrl the node behind the proxy
 * @param answer returns the reply to one call; `callNode` forwards a call to the node
 */
export function answerEachCall(
  nodeUrl: string,
  answer: (call: NodeCall, callNode: (call: NodeCall) => Promise<NodeReply>) => Promise<NodeReply>,
): Answer {
  const callNode = async (call: NodeCall) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...call }) }
    return (await (await fetch(nodeUrl, init)).json()) as NodeReply
  }
  return async ({ body }, response) => {
    const replies: object[] = []
    for (const call of [JSON.parse(body) as NodeCall | NodeCall[]].flat()) {
      replies.push({ jsonrpc: '2.0', ...(await answer(call, callNode)) })
    }
    const text = JSON.stringify(body.startsWith('[') ? replies : replies[0])
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  }
}

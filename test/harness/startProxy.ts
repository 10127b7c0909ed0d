import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * Starts a proxy between the service and a node, which records every HTTP request and can replace its response.
 *
 * @param upstream the initial URL of the node
 */
export async function startProxy(upstream: string) {
  const requests: ProxiedRequest[] = []
  let answer: Answer = forward
  let nodeUrl = upstream

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming)
    const calls = [JSON.parse(body) as Call | Call[]].flat()
    const request = { receivedAtMs: performance.now(), body, calls }
    requests.push(request)
    const headers = { 'content-type': 'application/json' }
    await answer(request, response, async () => {
      const answered = await fetch(nodeUrl, { method: 'POST', headers, body })
      return await answered.text()
    })
  }
  const server = createServer((incoming, response) => void handle(incoming, response).catch(() => response.destroy()))
  server.keepAliveTimeout = 65_000
  const open = async (port: number) => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const close = async () => {
    if (!server.listening) return
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  }
  const port = await open(0)
  return {
    url: `http://127.0.0.1:${port}`,
    /** All requests, in order. */
    requests,
    /** Sets the answer to all further requests. */
    setAnswer: (next: Answer) => void (answer = next),
    /** Forwards all further requests to the node. */
    reset: () => void (answer = forward),
    /** Forwards further requests to another node. */
    setUpstream: (url: string) => void (nodeUrl = url),
    /** Refuses connections, and closes open ones. */
    close,
    /** Accepts connections again, on the same port. */
    async reopen() {
      if (!server.listening) await open(port)
    },
    [Symbol.asyncDispose]: close,
  }
}

export type Proxy = Awaited<ReturnType<typeof startProxy>>

type Call = { readonly id: number; readonly method: string; readonly params?: unknown }

export type ProxiedRequest = { readonly receivedAtMs: number; readonly body: string; readonly calls: readonly Call[] }

/** Responds to a request, with or without the response of the node. */
export type Answer = (
  request: ProxiedRequest,
  response: ServerResponse,
  callNode: () => Promise<string>,
) => void | Promise<void>

/** The method with which the service polls for the newest block. */
export const headPoll = 'eth_getBlockByNumber'

/** Whether a request only polls for the newest block, as the service does in the background. */
export function isHeadPoll({ calls }: ProxiedRequest): boolean {
  return calls.every(({ method }) => method === headPoll)
}

async function forward(...[, response, callNode]: Parameters<Answer>): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' }).end(await callNode())
}

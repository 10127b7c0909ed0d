import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { host } from '../../node/host.ts'

/**
 * Stands between the service and a node: passes JSON-RPC over HTTP on, unless a fault answers in the node's place.
 *
 * @param nodeUrl the node's own URL, which stays as healthy as it is
 */
export async function startFaultProxy(nodeUrl: string): Promise<FaultProxy> {
  let fault: RpcFault | undefined
  let cleared = new AbortController()

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const passOn = async () => {
      const headers = { 'content-type': incoming.headers['content-type'] ?? 'application/json' }
      const answered = await fetch(nodeUrl, { method: 'POST', headers, body: new Uint8Array(body) })
      const type = answered.headers.get('content-type') ?? 'application/json'
      response.writeHead(answered.status, { 'content-type': type }).end(await answered.text())
    }
    await (fault ? fault({ response, passOn, cleared: cleared.signal }) : passOn())
  }
  const server = createServer((incoming, response) => void answer(incoming, response).catch(() => response.destroy()))
  await once(server.listen(0, host), 'listening')
  const clear = () => {
    fault = undefined
    cleared.abort()
    cleared = new AbortController()
  }
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    put(next) {
      clear()
      fault = next
    },
    clear,
    isFaulty: () => fault !== undefined,
    async [Symbol.asyncDispose]() {
      clear()
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

/** Answers a request, in the node's place or with what the node says to it. */
export type RpcFault = (exchange: {
  readonly response: ServerResponse
  /** Asks the node, and answers what it answers. */
  readonly passOn: () => Promise<void>
  /** Aborts once the fault is gone: what it keeps waiting must wait no longer. */
  readonly cleared: AbortSignal
}) => void | Promise<void>

export type FaultProxy = AsyncDisposable & {
  readonly url: string
  /** Answers every request by a fault from now on, in place of the last one. */
  put(fault: RpcFault): void
  /** Passes everything on again, also what a fault has kept waiting. */
  clear(): void
  isFaulty(): boolean
}

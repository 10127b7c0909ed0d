import { createPublicClient, custom, fallback, http } from 'viem'
import { createSocket } from './createSocket.ts'
import { readWhole } from './readWhole.ts'

const maxTimeoutMs = 4000
// One call's time over all URLs.
const totalMs = 10_000

/**
 * Opens the two clients of a chain over its upstream URLs, in order of preference. Calls over HTTP that are made in the same
 * tick travel as one JSON-RPC batch; over a WebSocket they follow each other without waiting.
 *
 * Each URL has 4 s, and all have 10 s together; a read with one URL is tried twice. A send is tried once: what became of a
 * transaction is decided by its hash.
 */
export function createRpc({ urls, ...settings }: createRpc.Settings) {
  const { fetch = globalThis.fetch, openSocket = (url) => new WebSocket(url) } = settings
  const timeoutMs = Math.min(maxTimeoutMs, totalMs / urls.length)
  const options = { batch: { wait: 0 }, timeout: timeoutMs, retryCount: 0, fetchFn: readWhole(fetch) }
  const routes = urls.map((url) => {
    if (!/^wss?:/i.test(url)) return { transport: http(url, options), socket: undefined }
    const socket = createSocket({ url, timeoutMs, openSocket })
    return { transport: custom(socket, { key: 'webSocket', retryCount: 0 }), socket }
  })
  const transports = routes.map(({ transport }) => transport)
  return {
    reads: createPublicClient({
      transport: fallback(transports, { retryCount: urls.length === 1 ? 1 : 0, retryDelay: 150 }),
    }),
    sends: createPublicClient({ transport: fallback(transports, { retryCount: 0 }) }),
    /** The sockets among them. */
    sockets: routes.flatMap(({ socket }) => socket ?? []),
  }
}

export declare namespace createRpc {
  type Settings = {
    readonly urls: readonly string[]
    /** The `fetch` that carries the calls over HTTP; the runtime's own by default. */
    readonly fetch?: typeof globalThis.fetch | undefined
    /** Opens the WebSockets that carry the other calls; the runtime's own by default. */
    readonly openSocket?: ((url: string) => WebSocket) | undefined
  }
}

export type Rpc = ReturnType<typeof createRpc>

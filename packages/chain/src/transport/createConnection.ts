import { RpcRequestError, SocketClosedError, TimeoutError } from 'viem'
import { createPendingRequests, type PendingRequest } from './createPendingRequests.ts'
import type { NodeLink, RpcRequest } from './NodeLink.ts'

/**
 * Opens one WebSocket to a node, which carries JSON-RPC until it ends. Requests made while it opens are sent once it is open.
 *
 * The connection ends itself if the node sends nothing at all for the time limit of a response, sends a frame that is not
 * JSON-RPC, or answers a request that it was not sent.
 */
export function createConnection({ url, timeoutMs, openSocket }: createConnection.Settings): Connection {
  const socket = openSocket(url)
  const pending = createPendingRequests({ timeoutMs, onTimeout })
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>()
  let onNotice: ((notice: unknown) => void) | undefined
  let receivedAtMs = -Infinity
  let [isEnded, isClosing] = [false, false]

  const closedError = () => new SocketClosedError({ url })

  function end(reason: Error): void {
    if (isEnded) return
    isEnded = true
    onNotice = undefined
    socket.close()
    for (const id of pending.ids()) pending.take(id)?.reject(reason)
    resolveEnded()
  }
  function endIfIdle(): void {
    if (isClosing && pending.isEmpty()) end(closedError())
  }
  function receive(message: Message | undefined): void {
    receivedAtMs = performance.now()
    if (!message) return end(new Error('the node sends a frame that is not JSON-RPC'))
    if (message.method === 'eth_subscription') return onNotice?.(message.params?.result)
    if (typeof message.method === 'string' || pending.takeTimedOut(message.id)) return
    // An error without an id answers every pending request.
    const ids = message.id === null && message.error ? pending.ids() : [message.id as number]
    for (const id of ids) resolveRequest(id, message)
  }
  function resolveRequest(id: number, { error, result }: Message): void {
    const answered = pending.take(id)
    endIfIdle()
    if (!answered) return end(new Error('the node answers another request than it was sent'))
    if (error) answered.reject(new RpcRequestError({ body: answered.request, error, url }))
    else answered.resolve(result)
  }
  function onTimeout({ request: { method }, startedAtMs, reject }: PendingRequest): void {
    // A node that has not accepted the connection is unreachable, not slow.
    const isOpen = socket.readyState === socket.OPEN
    const late = isOpen ? new TimeoutError({ body: { method }, url }) : closedError()
    reject(late)
    if (receivedAtMs < startedAtMs) end(late)
    endIfIdle()
  }

  socket.addEventListener('open', () => {
    for (const { id, request } of pending.list()) socket.send(toFrame(id, request))
  })
  socket.addEventListener('message', ({ data }) => receive(parseFrame(data)))
  socket.addEventListener('error', () => end(closedError()))
  socket.addEventListener('close', () => end(closedError()))

  return {
    ended,
    isUsable: () => !isEnded && !isClosing,
    request(request) {
      if (isEnded) return Promise.reject(closedError())
      const { id, response } = pending.add(request)
      if (socket.readyState === socket.OPEN) socket.send(toFrame(id, request))
      return response
    },
    setOnNotice: (listener) => (onNotice = listener),
    closeWhenIdle() {
      isClosing = true
      onNotice = undefined
      endIfIdle()
    },
  }
}

export declare namespace createConnection {
  type Settings = {
    readonly url: string
    /** The time limit of a response, the opening included. */
    readonly timeoutMs: number
    readonly openSocket: (url: string) => WebSocket
  }
}

export type Connection = Required<NodeLink> & {
  /** Resolves once it has ended. */
  readonly ended: Promise<void>
  /** Whether it takes more requests. */
  isUsable(): boolean
  /** Sets the listener of subscription notices. */
  setOnNotice(listener: (notice: unknown) => void): void
}

/** A frame of a node: a response, or a notice of a subscription. */
type Message = {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly result?: unknown } | null
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string } | null
}

function toFrame(id: number, { method, params }: RpcRequest): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** The message in a frame; undefined if it is not an object in JSON. */
function parseFrame(frame: unknown): Message | undefined {
  if (typeof frame !== 'string') return undefined
  try {
    const message: unknown = JSON.parse(frame)
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined
  } catch {
    return undefined
  }
}

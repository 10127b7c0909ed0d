import { SocketClosedError, TimeoutError } from 'viem'
import { createJsonCheck, createNoticeCheck, maxMessageBytes, OversizedError } from './answerBounds.ts'
import { createPendingRequests, type PendingRequest, type PendingRequests } from './createPendingRequests.ts'
import type { NodeLink, ObserveRequest, RpcRequest } from './NodeLink.ts'
import { toRpcError } from './toRpcError.ts'

/**
 * Opens one WebSocket to a node for JSON-RPC. Requests that are made before the WebSocket is open are sent once it is
 * open.
 *
 * The connection ends itself if the node sends nothing for the time limit of a response. It also ends itself if the
 * node sends a frame that is not JSON-RPC, answers a request that was not sent, or sends too many notices.
 */
export function createConnection({ url, timeoutMs, openSocket, observe }: createConnection.Options): Connection {
  const socket = openSocket(url)
  const pending = createPendingRequests({ timeoutMs, onTimeout })
  const receiver = createReceiver({ url, pending, onAnswered: endIfIdle, onInvalid: fail })
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>()
  const { promise: fault, resolve: resolveFault } = Promise.withResolvers<Error>()
  let [isEnded, isClosing] = [false, false]

  const closedError = () => new SocketClosedError({ url })

  function end(reason: Error): void {
    if (isEnded) return
    isEnded = true
    receiver.setOnNotice(undefined)
    socket.close()
    for (const id of pending.ids()) pending.take(id)?.reject(reason)
    resolveEnded()
  }
  function fail(reason: Error): void {
    resolveFault(reason)
    end(reason)
  }
  function endIfIdle(): void {
    if (isClosing && pending.isEmpty()) end(closedError())
  }
  function onTimeout({ request: { method }, startedAtMs, reject }: PendingRequest): void {
    // A node that has not accepted the connection is unreachable, not slow.
    const isOpen = socket.readyState === socket.OPEN
    const failure = isOpen ? new TimeoutError({ body: { method }, url }) : closedError()
    reject(failure)
    if (receiver.lastAtMs() < startedAtMs) end(failure)
    endIfIdle()
  }

  function send(request: RpcRequest): Promise<unknown> {
    if (isEnded) return Promise.reject(closedError())
    const { id, response } = pending.add(request)
    if (socket.readyState === socket.OPEN) socket.send(toFrame(id, request))
    return response
  }

  socket.addEventListener('open', () => {
    for (const { id, request } of pending.list()) socket.send(toFrame(id, request))
  })
  socket.addEventListener('message', ({ data }) => {
    if (!isEnded) receiver.receive(data)
  })
  socket.addEventListener('error', () => end(closedError()))
  socket.addEventListener('close', () => end(closedError()))

  return {
    ended,
    fault,
    isUsable: () => !isEnded && !isClosing,
    request: observe ? (request) => observe(request, () => send(request)) : send,
    setOnNotice: receiver.setOnNotice,
    closeWhenIdle() {
      isClosing = true
      receiver.setOnNotice(undefined)
      endIfIdle()
    },
  }
}

export declare namespace createConnection {
  type Options = {
    readonly url: string
    /** The time limit of a response, including the time to open the connection. */
    readonly timeoutMs: number
    readonly openSocket: (url: string) => WebSocket
    readonly observe?: ObserveRequest | undefined
  }
}

/** A WebSocket connection to a node. */
export type Connection = Required<NodeLink> & {
  /** Resolves once the connection has ended. */
  readonly ended: Promise<void>
  /** Returns whether the connection takes more requests. */
  isUsable(): boolean
  /** Sets the listener of subscription notices. */
  setOnNotice(listener: (notice: unknown) => void): void
}

type Receiving = {
  readonly url: string
  readonly pending: PendingRequests
  /** Called for each response, before its request is settled. */
  readonly onAnswered: () => void
  /** Called with the reason when a message is invalid. */
  readonly onInvalid: (reason: Error) => void
}

function createReceiver({ url, pending, onAnswered, onInvalid }: Receiving) {
  const noticeCheck = createNoticeCheck(() => performance.now())
  let onNotice: ((notice: unknown) => void) | undefined
  let lastAtMs = -Infinity

  function resolveRequest(id: number, { error, result }: Message): void {
    const answered = pending.take(id)
    onAnswered()
    if (!answered) return onInvalid(new Error('the response of the node does not match a request'))
    if (error !== undefined && error !== null) answered.reject(toRpcError(error, { request: answered.request, url }))
    else answered.resolve(result)
  }
  function receiveNotice({ method, params }: Message, frame: string): void {
    try {
      // A character has at least one byte.
      noticeCheck.add(frame.length)
    } catch (error) {
      return onInvalid(error as Error)
    }
    if (method === 'eth_subscription') onNotice?.(params?.result)
  }
  return {
    /** Passes the message of a frame to its request or to the listener. */
    receive(frame: unknown): void {
      lastAtMs = performance.now()
      const message = parseFrame(frame)
      if (message instanceof Error) return onInvalid(message)
      if (typeof message.method === 'string') return receiveNotice(message, frame as string)
      if (pending.takeTimedOut(message.id)) return
      // An error without an id answers every pending request.
      const ids = message.id === null && message.error ? pending.ids() : [message.id as number]
      for (const id of ids) resolveRequest(id, message)
    },
    setOnNotice: (listener: ((notice: unknown) => void) | undefined) => void (onNotice = listener),
    /** Returns when the last frame arrived, in milliseconds; `-Infinity` before the first frame. */
    lastAtMs: () => lastAtMs,
  }
}

/** A frame of a node: a response, or a notice of a subscription. */
type Message = {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly result?: unknown } | null
  readonly result?: unknown
  readonly error?: unknown
}

function toFrame(id: number, { method, params }: RpcRequest): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** Returns the message in a frame, or an error if the frame is beyond a bound or not a JSON object. */
function parseFrame(frame: unknown): Message | Error {
  try {
    if (typeof frame !== 'string') throw new TypeError('the frame is not a text')
    // A character has at least one byte.
    if (frame.length > maxMessageBytes) throw new OversizedError(`a message of more than ${maxMessageBytes} bytes`)
    createJsonCheck(maxMessageBytes).add(new TextEncoder().encode(frame))
    const message: unknown = JSON.parse(frame)
    if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message
  } catch (error) {
    if (error instanceof OversizedError) return error
  }
  return new Error('the node sent a frame that is not JSON-RPC')
}

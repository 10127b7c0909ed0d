import { RpcRequestError, SocketClosedError, TimeoutError } from 'viem'
import { findMessage, type Message } from './findMessage.ts'
import type { Body, Link } from './Link.ts'

/**
 * Opens one WebSocket to a node, which carries JSON-RPC until it ends. What is asked while it opens waits for that.
 *
 * Who answers nothing at all for as long as an answer may take is gone, and so is who sends what is no JSON-RPC or answers
 * what was not asked: all of this ends it.
 */
export function createConnection({ url, timeoutMs, openSocket }: createConnection.Settings): Connection {
  const socket = openSocket(url)
  const questions = new Map<number, Question>()
  // What was not waited for any longer may still be answered.
  const givenUp = new Set<unknown>()
  const { promise: ended, resolve: setEnded } = Promise.withResolvers<void>()
  let onNotice: ((notice: unknown) => void) | undefined
  let [lastId, heardAtMs] = [0, -Infinity]
  let [isEnded, isRetired] = [false, false]

  function end(reason: Error): void {
    if (isEnded) return
    isEnded = true
    onNotice = undefined
    socket.close()
    for (const id of questions.keys()) take(id)?.reject(reason)
    setEnded()
  }
  function take(id: number): Question | undefined {
    const question = questions.get(id)
    questions.delete(id)
    clearTimeout(question?.timer)
    if (isRetired && questions.size === 0) end(new SocketClosedError({ url }))
    return question
  }
  function hear(message: Message | undefined): void {
    heardAtMs = performance.now()
    if (!message) return end(new Error('the node sends what is no JSON-RPC'))
    if (message.method === 'eth_subscription') return onNotice?.(message.params?.result)
    if (typeof message.method === 'string' || givenUp.delete(message.id)) return
    // An error that names no question is about all of them.
    const ids = message.id === null && message.error ? [...questions.keys()] : [message.id as number]
    for (const id of ids) answer(take(id), message)
  }
  function answer(question: Question | undefined, { error, result }: Message): void {
    if (!question) return end(new Error('the node answers what was not asked'))
    if (error) question.reject(new RpcRequestError({ body: question.body, error, url }))
    else question.resolve(result)
  }
  function giveUp(id: number, askedAtMs: number): void {
    const body = { method: questions.get(id)?.body.method }
    // Who has not even let us in is not slow, but away.
    const isOpen = socket.readyState === socket.OPEN
    const late = isOpen ? new TimeoutError({ body, url }) : new SocketClosedError({ url })
    givenUp.add(id)
    take(id)?.reject(late)
    if (heardAtMs < askedAtMs) end(late)
  }

  socket.addEventListener('open', () => {
    for (const [id, { body }] of questions) socket.send(toMessage(id, body))
  })
  socket.addEventListener('message', ({ data }) => hear(findMessage(data)))
  socket.addEventListener('error', () => end(new SocketClosedError({ url })))
  socket.addEventListener('close', () => end(new SocketClosedError({ url })))

  return {
    ended,
    isUsable: () => !isEnded && !isRetired,
    ask(body) {
      if (isEnded) return Promise.reject(new SocketClosedError({ url }))
      const id = ++lastId
      const askedAtMs = performance.now()
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => giveUp(id, askedAtMs), timeoutMs)
        questions.set(id, { body, resolve, reject, timer })
        if (socket.readyState === socket.OPEN) socket.send(toMessage(id, body))
      })
    },
    setOnNotice: (listener) => (onNotice = listener),
    retire() {
      isRetired = true
      onNotice = undefined
      if (questions.size === 0) end(new SocketClosedError({ url }))
    },
  }
}

export declare namespace createConnection {
  type Settings = {
    readonly url: string
    /** How long an answer may take, the opening included. */
    readonly timeoutMs: number
    readonly openSocket: (url: string) => WebSocket
  }
}

export type Connection = Required<Link> & {
  /** Resolves once it has ended. */
  readonly ended: Promise<void>
  /** Whether more may be asked. */
  isUsable(): boolean
  /** Hears the notices of subscriptions. */
  setOnNotice(listener: (notice: unknown) => void): void
}

type Question = {
  readonly body: Body
  readonly timer: ReturnType<typeof setTimeout>
  resolve(result: unknown): void
  reject(error: Error): void
}

function toMessage(id: number, { method, params }: Body): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

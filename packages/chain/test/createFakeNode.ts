import { keccak256, numberToHex, type Hex } from 'viem'

/** Creates a node in this process, which records requests and answers as its behaviour does. */
export function createFakeNode(): FakeNode {
  const requests: FakeRequest[] = []
  const transactions = new Set<Hex>()
  let behaviour: Behaviour = healthy
  let chainId = 84532
  let timestampSeconds = 1_000_000

  function resultOf({ method, params }: Call): unknown {
    switch (method) {
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'eth_getBlockByNumber':
        return { number: '0x1', hash: hashOf(1), parentHash: hashOf(0), timestamp: numberToHex(timestampSeconds) }
      case 'eth_sendRawTransaction':
        transactions.add(keccak256(params?.[0] as Hex))
        return keccak256(params?.[0] as Hex)
      case 'eth_getTransactionByHash':
        return transactions.has(params?.[0] as Hex) ? toTransaction(params?.[0] as Hex) : null
      default:
        return '0x7'
    }
  }
  return {
    requests,
    transactions,
    count: (method) => requests.filter(({ calls }) => calls.some((call) => call.method === method)).length,
    setBehaviour: (next) => (behaviour = next),
    reset: () => (behaviour = healthy),
    setChainId: (next) => (chainId = next),
    setTimestamp: (next) => (timestampSeconds = next),
    async respond(init) {
      const body = JSON.parse(init?.body as string) as Call | Call[]
      const calls = [body].flat()
      requests.push({ calls, atMs: Math.round(performance.now()) })
      const answer = () => calls.map((call) => toReply(call.id, { result: resultOf(call) }))
      const respond = (replies: readonly object[]) =>
        toResponse(JSON.stringify(Array.isArray(body) ? replies : replies[0]))
      return await behaviour({ calls, answer, respond, signal: init?.signal ?? undefined })
    },
  }
}

export type FakeNode = {
  /** All requests, in order, each with its time in milliseconds. */
  readonly requests: readonly FakeRequest[]
  /** The hashes of the transactions that it has taken. */
  readonly transactions: ReadonlySet<Hex>
  /** Returns how many requests contained a call of a method. */
  count(method: string): number
  setBehaviour(behaviour: Behaviour): void
  /** Makes it healthy again. */
  reset(): void
  setChainId(chainId: number): void
  /** Sets the time of its newest block. */
  setTimestamp(seconds: number): void
  respond(init: RequestInit | undefined): Promise<Response>
}

type Call = { readonly id: number; readonly method: string; readonly params?: readonly unknown[] }

type FakeRequest = { readonly calls: readonly Call[]; readonly atMs: number }

type RpcError = { readonly code: number; readonly message: string; readonly data?: string }

/** Answers one request. */
export type Behaviour = (request: {
  readonly calls: readonly Call[]
  /** Returns the replies of a healthy node, and applies their effects. */
  readonly answer: () => readonly Reply[]
  /** Makes a response of replies: a batch for a batch. */
  readonly respond: (replies: readonly object[]) => Response
  readonly signal: AbortSignal | undefined
}) => Response | Promise<Response>

type Reply = { readonly id: number; readonly result?: unknown }

const healthy: Behaviour = ({ answer, respond }) => respond(answer())

/** Breaks the connection after a millisecond, since concurrent requests fail after the last of them was sent. */
export const breakConnection: Behaviour = async () => {
  await new Promise((resolve) => setTimeout(resolve, 1))
  throw new TypeError('fetch failed')
}

/** Never responds. */
export const neverRespond: Behaviour = ({ signal }) =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })

/** Responds as a healthy node does, but after a time. */
export function respondAfter(delayMs: number): Behaviour {
  return async (request) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    return await healthy(request)
  }
}

/** Begins a body that never ends. */
export const neverFinish: Behaviour = ({ signal }) => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('[{"jsonrpc"'))
      signal?.addEventListener('abort', () => controller.error(signal.reason))
    },
  })
  return new Response(body, { headers: json })
}

export function respondStatus(status: number): Behaviour {
  return () => new Response(status === 204 ? null : '{"message":"sorry"}', { status, headers: json })
}

export function respondText(body: string, type = 'application/json'): Behaviour {
  return () => new Response(body, { headers: { 'content-type': type } })
}

/** Responds with the same result to every call. */
export function respondResult(result: unknown): Behaviour {
  return ({ calls, respond }) => respond(calls.map(({ id }) => toReply(id, { result })))
}

/** Responds with the same error to every call. */
export function respondError(error: RpcError): Behaviour {
  return ({ calls, respond }) => respond(calls.map(({ id }) => toReply(id, { error })))
}

/** Changes the replies of a healthy node. */
export function changeReplies(change: (replies: readonly Reply[]) => readonly object[]): Behaviour {
  return ({ answer, respond }) => respond(change(answer()))
}

/** Replies as a healthy node does, except to the calls of a method. */
export function replyTo(method: string, outcome: (params: readonly unknown[]) => object): Behaviour {
  return ({ calls, answer, respond }) => {
    const replies = answer()
    return respond(
      calls.map((call, index) =>
        call.method === method ? toReply(call.id, outcome(call.params ?? [])) : { ...replies[index] },
      ),
    )
  }
}

/** Applies a behaviour to requests with a call of a method. Behaves as a healthy node otherwise. */
export function onlyFor(method: string, behaviour: Behaviour): Behaviour {
  return (request) => (request.calls.some((call) => call.method === method) ? behaviour(request) : healthy(request))
}

/** Takes the transactions that are sent, and then behaves in another way; healthy otherwise. */
export function takeThen(behaviour: Behaviour): Behaviour {
  return onlyFor('eth_sendRawTransaction', (request) => {
    request.answer()
    return behaviour(request)
  })
}

/** Returns the hash that a fake node gives the block of this number. */
export function hashOf(value: number): Hex {
  return numberToHex(value, { size: 32 })
}

/** Returns a transaction with a hash. Its type has no signature, so that it may have any hash. */
export function toTransaction(hash: Hex): object {
  const account = numberToHex(1, { size: 20 })
  return { hash, type: '0x7e', from: account, to: account, nonce: '0x0', value: '0x0', gas: '0x5208', input: '0x' }
}

const json = { 'content-type': 'application/json' }

function toReply(id: number, outcome: object): Reply {
  return { jsonrpc: '2.0', id, ...outcome } as Reply
}

function toResponse(body: string): Response {
  return new Response(body, { headers: json })
}

import type { ServerResponse } from 'node:http'
import type { Answer } from './startProxy.ts'

type RpcError = { readonly code: number; readonly message: string }

/** Breaks the connection. */
export const breakOff: Answer = (_, response) => void response.destroy()

/** Takes the request, and leaves it there. */
export const neverAnswer: Answer = () => {}

/** Says that it answers, and then says nothing more. */
export const neverEnd: Answer = (_, response) => void json(response).write('[{"jsonrpc"')

/** An HTTP status of failure. */
export function status(code: number): Answer {
  return (_, response) => void json(response, code).end('{"message":"sorry"}')
}

/** Whatever is no JSON-RPC. */
export function text(body: string, type = 'application/json'): Answer {
  return (_, response) => void response.writeHead(200, { 'content-type': type }).end(body)
}

/** The same result for every call. */
export function result(value: unknown): Answer {
  return ({ body, calls }, response) =>
    endWith(
      response,
      body,
      calls.map(({ id }) => toReply(id, { result: value })),
    )
}

/** The same error for every call. */
export function error(value: RpcError): Answer {
  return ({ body, calls }, response) =>
    endWith(
      response,
      body,
      calls.map(({ id }) => toReply(id, { error: value })),
    )
}

/** One error for a whole batch, as by nodes that refuse it before they read it. */
export function refusal(value: RpcError, code = 200): Answer {
  return (_, response) => void json(response, code).end(JSON.stringify({ jsonrpc: '2.0', id: null, error: value }))
}

/** A result of its own for every call of one method; all else is the node's. */
export function resultOf(method: string, value: unknown): Answer {
  return async ({ body, calls }, response, askNode) => {
    const answered = [JSON.parse(await askNode()) as { id: number } | { id: number }[]].flat()
    const spoilt = new Set(calls.filter((call) => call.method === method).map(({ id }) => id))
    const replies = answered.map((reply) => (spoilt.has(reply.id) ? toReply(reply.id, { result: value }) : reply))
    endWith(response, body, replies)
  }
}

/** An error for every request that holds a call of one method, which never reaches the node; all else is the node's. */
export function errorOf(method: string, value: RpcError): Answer {
  return only(method, error(value))
}

/** An answer for every request that holds a call of one method; all else is the node's. */
export function only(method: string, answer: Answer): Answer {
  return async (request, response, askNode) => {
    if (request.calls.some((call) => call.method === method)) await answer(request, response, askNode)
    else json(response).end(await askNode())
  }
}

/** Has the node take the transactions that are sent, and then does something else than to tell of it; all else is the node's. */
export function takeAnd(answer: Answer): Answer {
  return async (request, response, askNode) => {
    const answered = await askNode()
    if (request.calls.every(({ method }) => method !== 'eth_sendRawTransaction')) json(response).end(answered)
    else await answer(request, response, askNode)
  }
}

/** What the node answers, with other ids or in another number. */
export function reply(change: (replies: readonly Reply[]) => readonly object[]): Answer {
  return async ({ body }, response, askNode) =>
    endWith(response, body, change([JSON.parse(await askNode()) as Reply | Reply[]].flat()))
}

type Reply = { readonly id: number; readonly result?: unknown }

function toReply(id: number, outcome: object): object {
  return { jsonrpc: '2.0', id, ...outcome }
}

function endWith(response: ServerResponse, body: string, replies: readonly object[]): void {
  json(response).end(JSON.stringify(body.startsWith('[') ? replies : replies[0]))
}

function json(response: ServerResponse, statusCode = 200): ServerResponse {
  return response.writeHead(statusCode, { 'content-type': 'application/json' })
}

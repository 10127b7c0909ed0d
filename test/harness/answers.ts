import type { ServerResponse } from 'node:http'
import type { Answer } from './startProxy.ts'

type RpcError = { readonly code: number; readonly message: string }

/** Breaks the connection. */
export const breakOff: Answer = (_, response) => void response.destroy()

/** Accepts the request, and never responds. */
export const neverAnswer: Answer = () => {}

/** Responds with an HTTP error status. */
export function status(code: number): Answer {
  return (_, response) => void json(response, code).end('{"message":"sorry"}')
}

/** Responds with a body that is not JSON-RPC. */
export function text(body: string, type = 'application/json'): Answer {
  return (_, response) => void response.writeHead(200, { 'content-type': type }).end(body)
}

/** Responds with a body that is compressed by gzip. */
export function compressed(body: Uint8Array): Answer {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  return (_, response) => void response.writeHead(200, headers).end(body)
}

/** Responds with one byte each tenth of a second, and never completes the response. */
export const trickle: Answer = (_, response) => {
  json(response)
  const timer = setInterval(() => response.write(' '), 100)
  response.once('close', () => clearInterval(timer))
}

/** Responds with the same result to every call. */
export function result(value: unknown): Answer {
  return answerAll({ result: value })
}

/** Responds with the same error to every call. */
export function error(value: RpcError): Answer {
  return answerAll({ error: value })
}

function answerAll(outcome: object): Answer {
  return ({ body, calls }, response) => {
    const replies = calls.map(({ id }) => toReply(id, outcome))
    endWith(response, body, replies)
  }
}

/** Responds with one error to a whole batch, like a node that rejects it unread. */
export function refusal(value: RpcError, code = 200): Answer {
  return (_, response) => void json(response, code).end(JSON.stringify({ jsonrpc: '2.0', id: null, error: value }))
}

/** Responds with a result to every call of one method, and forwards all other calls to the node. */
export function resultOf(method: string, value: unknown): Answer {
  return async ({ body, calls }, response, callNode) => {
    const answered = [JSON.parse(await callNode()) as { id: number } | { id: number }[]].flat()
    const changed = new Set(calls.filter((call) => call.method === method).map(({ id }) => id))
    const replies = answered.map((reply) => (changed.has(reply.id) ? toReply(reply.id, { result: value }) : reply))
    endWith(response, body, replies)
  }
}

/** Responds with an error to every request that contains a call of one method, and forwards all others to the node. */
export function errorOf(method: string, value: RpcError): Answer {
  const answer = error(value)
  return async (request, response, callNode) => {
    if (request.calls.some((call) => call.method === method)) await answer(request, response, callNode)
    else json(response).end(await callNode())
  }
}

/** Forwards every request to the node, and replaces the responses to broadcasts by another answer. */
export function takeAnd(answer: Answer): Answer {
  return async (request, response, callNode) => {
    const answered = await callNode()
    if (request.calls.every(({ method }) => method !== 'eth_sendRawTransaction')) json(response).end(answered)
    else await answer(request, response, callNode)
  }
}

/** Forwards every request to the node, and changes its replies. */
export function reply(change: (replies: readonly Reply[]) => readonly object[]): Answer {
  return async ({ body }, response, callNode) =>
    endWith(response, body, change([JSON.parse(await callNode()) as Reply | Reply[]].flat()))
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

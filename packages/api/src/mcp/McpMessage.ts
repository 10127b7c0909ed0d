import { Errors, isObject } from '@agio/core'
import { isSpecType } from '@modelcontextprotocol/server'
import { parseJsonObject } from '../http/readBody.ts'

/** A message of JSON-RPC: an object of a client, not checked further. */
export type McpMessage = Readonly<Record<string, unknown>>

/** Parses the body of a request. @throws `svc/invalid-request` for a list of messages, and unless it is one JSON object */
export function parseMessage(text: string): McpMessage {
  if (text.trimStart().startsWith('[')) throw Errors.unreadableRequest({ reason: 'send one message, not a list' })
  return parseJsonObject(text)
}

/**
 * Returns the name of the tool that a message calls; undefined for any other message.
 *
 * @throws `svc/invalid-request` for a malformed call, which the library would refuse with the sentence of its schema
 */
export function findCalledTool({ method, params }: McpMessage): string | undefined {
  if (method !== 'tools/call') return undefined
  const { name, arguments: input = {} } = isObject(params) ? params : {}
  if (typeof name !== 'string') throw Errors.invalidRequest({ field: 'params.name', reason: 'it is not a text' })
  if (!isObject(input) || Array.isArray(input))
    throw Errors.invalidRequest({ field: 'params.arguments', reason: 'it is not an object' })
  return name
}

// The methods that the server answers. The library refuses all others.
const methods = new Set<unknown>([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

/**
 * Returns the error of a message that the library would answer by keeping a stream open, or as an internal error with the sentence
 * of its schema.
 *
 * @param options.isOlder whether the message is of the protocol with `initialize`
 */
export function findRefusal(message: McpMessage, { isOlder }: { readonly isOlder: boolean }): RpcError | undefined {
  const { method } = message
  if (method === 'subscriptions/listen')
    return { code: -32_601, message: 'Method not found: lists change only with a release' }
  const isRemoved = !isOlder && method === 'initialize'
  if (methods.has(method) && !isRemoved && !isSpecType.ClientRequest(message))
    return { code: -32_602, message: `Invalid params of ${String(method)}` }
  return undefined
}

/** An error of JSON-RPC. */
export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown }

/** Returns the answer with an error, to the request with an id if it has one. */
export function toRpcFailure(error: RpcError, id: unknown = null): string {
  const isId = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))
  return JSON.stringify({ jsonrpc: '2.0', id: isId ? id : null, error })
}

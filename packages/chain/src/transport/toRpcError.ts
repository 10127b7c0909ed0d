import { isObject } from '@agio/core'
import { RpcRequestError } from 'viem'
import type { RpcRequest } from './NodeLink.ts'

// The message is logged and matched against patterns.
const maxMessageLength = 1000

/**
 * Returns the error of a request that a node answered with a JSON-RPC error. A long message is cut, and a code that is
 * not a number becomes an internal error.
 */
export function toRpcError(
  error: unknown,
  { request, url }: { readonly request: RpcRequest; readonly url: string },
): RpcRequestError {
  const { code, message, data } = isObject(error) ? error : {}
  const text = typeof message === 'string' ? message : 'the node returned an error without a message'
  return new RpcRequestError({
    body: request,
    error: { code: typeof code === 'number' ? code : -32_603, message: text.slice(0, maxMessageLength), data },
    url,
  })
}

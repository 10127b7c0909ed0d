import { isObject } from '../errors/isObject.ts'
import { ProviderError } from './ProviderError.ts'

/** Makes a request to a node. @throws {ProviderError} the error of the node, or 4901 if it cannot be reached */
export type NodeRequest = (method: string, params: readonly unknown[]) => Promise<unknown>

const timeoutMs = 10_000

/** Returns a function that sends JSON-RPC requests to a node over HTTP. */
export function connectNode(rpcUrl: string): NodeRequest {
  return async (method, params) => {
    const { error, result } = await post(rpcUrl, { jsonrpc: '2.0', id: 1, method, params })
    if (error) throw new ProviderError(error.code, error.message, error.data)
    return result
  }
}

type Response = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

// The chain is disconnected (EIP-1193).
const disconnected = 4901

async function post(rpcUrl: string, body: object): Promise<Response> {
  try {
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(body), signal })
    const parsed: unknown = await response.json()
    if (!isObject(parsed)) throw new TypeError('its response is not JSON-RPC')
    return parsed
  } catch (cause) {
    throw new ProviderError(disconnected, `Cannot reach the node: ${String(cause)}`)
  }
}

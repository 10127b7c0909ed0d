import { errorCodes, ProviderError } from './ProviderError.ts'

/** Makes a request to a node. @throws {ProviderError} the error of the node, or 4901 if it cannot be reached */
export type NodeRequest = (method: string, params: readonly unknown[]) => Promise<unknown>

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

async function post(rpcUrl: string, body: object): Promise<Response> {
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Response
  } catch (cause) {
    throw new ProviderError(errorCodes.chainDisconnected, `Cannot reach the node: ${String(cause)}`)
  }
}

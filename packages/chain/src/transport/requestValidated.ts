import { isObject } from '@agio/core'
import type { NodeLink, RpcRequest } from './NodeLink.ts'

/**
 * Returns the result of a request, and checks that it has the form of its method.
 *
 * @throws the errors of the link, and `Error` if the result has another form
 */
export async function requestValidated(link: NodeLink, request: RpcRequest): Promise<unknown> {
  const result = await link.request(request)
  assertResult(request, result)
  return result
}

/**
 * Returns the result of a request to a node that serves our chain. Verification and request run in parallel, so that
 * verification adds no latency. The result is used only if verification passes.
 *
 * @throws the errors of `verify`, or else the errors of `requestValidated`
 */
export async function requestVerified(link: NodeLink, { request, verify }: requestVerified.Options): Promise<unknown> {
  const requesting = requestValidated(link, request)
  // If verification fails, the outcome of the request does not matter.
  requesting.catch(() => {})
  await verify(link)
  return await requesting
}

export declare namespace requestVerified {
  type Options = {
    readonly request: RpcRequest
    /** Resolves if the link serves our chain. */
    readonly verify: (link: NodeLink) => Promise<void>
  }
}

const data = /^0x([0-9a-f]{2})*$/i
const quantity = /^0x[0-9a-f]{1,64}$/i
const hash = /^0x[0-9a-f]{64}$/i

const stringForms: Readonly<Record<string, RegExp>> = {
  eth_blockNumber: quantity,
  eth_call: data,
  eth_chainId: quantity,
  eth_estimateGas: quantity,
  eth_getBalance: quantity,
  eth_getCode: data,
  eth_getTransactionCount: quantity,
  eth_sendRawTransaction: hash,
}

// After this error, the request goes to another node.
function assertResult({ method, params }: RpcRequest, result: unknown): void {
  const form = stringForms[method]
  const isValidString = form === undefined || (typeof result === 'string' && form.test(result))
  if (!isValidString || !isValidObject(method, params, result)) {
    throw new Error(`the node returned an invalid result for ${method}`)
  }
}

/**
 * Returns whether a result is valid. An unknown transaction, receipt or block is null. The newest block and the fee
 * history are never null.
 */
function isValidObject(method: string, params: unknown, result: unknown): boolean {
  if (method === 'eth_feeHistory') return isObject(result)
  if (method !== 'eth_getBlockByNumber') return true
  const isNewest = !Array.isArray(params) || params[0] === 'latest' || params[0] === 'pending'
  return isObject(result) || (result === null && !isNewest)
}

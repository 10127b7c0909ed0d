import type { NodeLink, RpcRequest } from './NodeLink.ts'
import { isValidResult } from './resultForms.ts'

/** Returns a result that has the form of its method and describes what was asked for. @throws `Error` for another result */
export async function requestValidated(link: NodeLink, request: RpcRequest): Promise<unknown> {
  const result = await link.request(request)
  assertResult(request, result)
  return result
}

/**
 * Returns the result of a request to a node that serves our chain. Verification and request run in parallel, so that
 * verification adds no latency. @throws the errors of `verify`, or else the errors of `requestValidated`
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

// After this error, the request goes to another node.
function assertResult(request: RpcRequest, result: unknown): void {
  if (!isValidResult(request, result)) throw new Error(`the node returned an invalid result for ${request.method}`)
}

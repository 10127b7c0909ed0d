import type { LoggedCall } from '@agio/store'

/** Returns a successful preview, for the request log, with changes. */
export function toLoggedCall({
  keyId,
  atMs,
  ...changes
}: Pick<LoggedCall, 'keyId' | 'atMs'> & Partial<LoggedCall>): LoggedCall {
  return {
    keyId,
    atMs,
    requestId: 'order-42',
    operation: 'convert.preview',
    status: 200,
    code: undefined,
    ms: 1.5,
    queueMs: 0,
    nodeMs: 0.5,
    nodeRequests: 1,
    input: undefined,
    nearestInput: undefined,
    transactionHash: undefined,
    ...changes,
  }
}

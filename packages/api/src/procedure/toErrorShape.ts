import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { TRPC_ERROR_CODES_BY_KEY, type TRPC_ERROR_CODE_KEY, type TRPC_ERROR_CODE_NUMBER } from '@trpc/server/rpc'
import type { RequestTrace } from '../http/RequestTrace.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'

/**
 * Returns an error in the shape of tRPC: its `data` has the fields of the REST envelope, with the status as `httpStatus`; its
 * `code` is the JSON-RPC code that tRPC has for the status.
 */
export function toErrorShape(error: unknown, { path, requestId, trace, input, chains }: Call) {
  const { status, message, ...fields } = toErrorBody(error, input, chains)
  const data = {
    ...fields,
    httpStatus: status,
    path,
    ...(requestId !== undefined && { requestId }),
    ...(trace && { traceId: trace.traceId }),
  }
  return { code: toRpcCode(status), message, data }
}

type Call = {
  /** The procedure; undefined for the error of a whole batch. */
  readonly path: string | undefined
  readonly requestId: string | undefined
  /** The trace of the request; undefined if it is not traced. */
  readonly trace?: RequestTrace | undefined
  /** The input, to echo the refused value. */
  readonly input?: unknown
  /** The served chains by id, to list them. */
  readonly chains?: object | undefined
}

const { INTERNAL_SERVER_ERROR, BAD_REQUEST, PARSE_ERROR: _, ...otherCodes } = TRPC_ERROR_CODES_BY_KEY

const rpcCodes = new Map<number, TRPC_ERROR_CODE_NUMBER>(
  Object.entries(otherCodes).map(([code, rpcCode]) => [
    getHTTPStatusCodeFromError(new TRPCError({ code: code as TRPC_ERROR_CODE_KEY })),
    rpcCode,
  ]),
)

function toRpcCode(status: number): TRPC_ERROR_CODE_NUMBER {
  return rpcCodes.get(status) ?? (status >= 500 ? INTERNAL_SERVER_ERROR : BAD_REQUEST)
}

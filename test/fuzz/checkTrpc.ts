import { checkByDocument, checkError } from './checkBody.ts'
import type { FuzzResponse } from './FuzzRequest.ts'

type Result = {
  readonly result?: { readonly data: unknown }
  readonly error?: {
    readonly message: string
    readonly code: unknown
    readonly data: Readonly<Record<string, unknown>>
  }
}

/**
 * Returns the violation of a tRPC response, if any: each call of a batch must have a result of its own, unless the whole batch
 * is rejected.
 *
 * @param path the path as sent, if known
 */
export function checkTrpc(path: string | undefined, answer: FuzzResponse): string | undefined {
  const isStream = answer.headers['vary']?.includes('trpc-accept') === true
  if (isStream)
    return answer.text.split('\n').some((line) => line !== '' && parse(line) === undefined)
      ? 'a line is not JSON'
      : undefined
  const body = parse(answer.text)
  const operations = path === undefined ? [] : decode(path.slice('/trpc/'.length)).split(',')
  if (!Array.isArray(body)) return checkResult(body as Result | undefined, operations[0], answer)
  if (body.length === 0) return 'it is empty'
  return (body as Result[])
    .map((result, at) => checkResult(result, operations[at], answer))
    .find((violation) => violation !== undefined)
}

function checkResult(
  result: Result | undefined,
  operation: string | undefined,
  answer: FuzzResponse,
): string | undefined {
  if (result?.result) return checkByDocument(String(operation), 200, { success: true, data: result.result.data })
  if (!result?.error) return 'it is neither a result nor an error'
  const { message, code, data } = result.error
  if (typeof code !== 'number') return 'its JSON-RPC code is not a number'
  const { httpStatus, path: _, ...failure } = data
  // The calls of a batch with different outcomes share no status.
  if (answer.status !== 207 && answer.status !== httpStatus) return 'its status is not the one in the body'
  return checkError({ success: false, error: message, ...failure }, { ...answer, status: Number(httpStatus) })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

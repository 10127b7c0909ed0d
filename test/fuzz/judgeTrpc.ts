import type { Answer } from './Answer.ts'
import { judgeByDocument } from './judgeByDocument.ts'
import { judgeFailure } from './judgeFailure.ts'

type Result = {
  readonly result?: { readonly data: unknown }
  readonly error?: {
    readonly message: string
    readonly code: unknown
    readonly data: Readonly<Record<string, unknown>>
  }
}

/**
 * Tells what is wrong with an answer of tRPC, if anything: each call of a batch must have an answer of its own, unless all
 * of them are refused together.
 *
 * @param path the path as it was sent, if that is known
 */
export function judgeTrpc(path: string | undefined, answer: Answer): string | undefined {
  const isStream = answer.headers['vary']?.includes('trpc-accept') === true
  if (isStream)
    return answer.text.split('\n').some((line) => line !== '' && parse(line) === undefined)
      ? 'a line is no JSON'
      : undefined
  const body = parse(answer.text)
  const operations = path === undefined ? [] : decode(path.slice('/trpc/'.length)).split(',')
  if (!Array.isArray(body)) return judgeResult(body as Result | undefined, operations[0], answer)
  if (body.length === 0) return 'it is empty'
  return (body as Result[])
    .map((result, at) => judgeResult(result, operations[at], answer))
    .find((wrong) => wrong !== undefined)
}

function judgeResult(result: Result | undefined, operation: string | undefined, answer: Answer): string | undefined {
  if (result?.result) return judgeByDocument(String(operation), 200, { success: true, data: result.result.data })
  if (!result?.error) return 'it is neither a result nor an error'
  const { message, code, data } = result.error
  if (typeof code !== 'number') return 'its code of JSON-RPC is no number'
  const { httpStatus, path: _, ...failure } = data
  // The calls of a batch that come to different ends have no status in common.
  if (answer.status !== 207 && answer.status !== httpStatus) return 'its status is not the one in the body'
  return judgeFailure({ success: false, error: message, ...failure }, { ...answer, status: Number(httpStatus) })
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

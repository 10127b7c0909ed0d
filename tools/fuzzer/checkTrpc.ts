import { checkByDocument, checkError } from './checkRest.ts'
import type { FuzzRequest, FuzzResponse } from './FuzzRequest.ts'

type Result = {
  readonly result?: { readonly data: unknown }
  readonly error?: {
    readonly message: string
    readonly code: unknown
    readonly data: Readonly<Record<string, unknown>>
  }
}

/**
 * Returns the violation of a tRPC response, if any: it is what the link that sends such requests reads, and each call of a
 * batch has its own outcome, unless the whole batch is rejected.
 *
 * @param request the request, if known
 */
export function checkTrpc(request: CheckedRequest | undefined, answer: FuzzResponse): string | undefined {
  const isStream = answer.headers['vary']?.includes('trpc-accept') === true
  let body: unknown
  try {
    body = isStream ? parseJsonLines(answer.text) : JSON.parse(answer.text)
  } catch (error) {
    return String(error)
  }
  const operations = request && decode(request.path.slice('/trpc/'.length)).split(',')
  if (!Array.isArray(body)) return checkResult(body as Result | null, operations?.[0], answer)
  // The link that streams takes a response without a status of 2xx for one error.
  if (!isStream && answer.status >= 300 && request && acceptsStream(request)) return 'it is an array'
  if (operations && body.length !== operations.length) return `it has ${body.length} outcomes`
  // The calls of a stream, or of a batch with different outcomes, share no status.
  const status = isStream || answer.status === 207 ? undefined : answer.status
  return (body as Result[])
    .map((result, at) => checkResult(result, operations?.[at], { ...answer, status }))
    .find((violation) => violation !== undefined)
}

type CheckedRequest = Pick<FuzzRequest, 'headers'> & {
  /** The path as sent. */
  readonly path: string
}

function acceptsStream({ headers }: CheckedRequest): boolean {
  return headers.some(([name, value]) => name === 'trpc-accept' && value === 'application/jsonl')
}

type Answer = Omit<FuzzResponse, 'status'> & { readonly status: number | undefined }

function checkResult(result: Result | null, operation: string | undefined, answer: Answer): string | undefined {
  if (result?.result) return checkByDocument(String(operation), 200, { success: true, data: result.result.data })
  if (!result?.error) return 'it is neither a result nor an error'
  const { message, code, data } = result.error
  const { httpStatus, path: _, ...failure } = data
  if (typeof code !== 'number') return 'its JSON-RPC code is not a number'
  if ((code === internalError) !== Number(httpStatus) >= 500) return `its JSON-RPC code is ${code}`
  if (answer.status !== undefined && answer.status !== httpStatus) return 'its status differs from the body'
  return checkError({ success: false, error: message, ...failure }, { ...answer, status: Number(httpStatus) })
}

const internalError = -32_603

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Parses the response of a tRPC batch that is streamed as JSON lines.
 *
 * @returns the outcomes of its calls, in order
 * @throws `Error` if a line is not JSON, or an outcome is missing
 */
function parseJsonLines(text: string): readonly unknown[] {
  const [head, ...lines] = text.split('\n').filter((line) => line.trim() !== '')
  const chunks = new Map(
    lines.map((line) => {
      const [id, status, value] = JSON.parse(line) as Chunk
      return [id, { status, value }]
    }),
  )
  function decode([[data], ...deferred]: Encoded): unknown {
    let decoded = data
    for (const [name, , id] of deferred) {
      const chunk = chunks.get(id)
      if (chunk?.status !== 0) throw new Error(`Cannot parse the stream: chunk ${id} is missing or failed`)
      const value = decode(chunk.value)
      if (name === null) decoded = value
      else Object.assign(decoded as object, { [name]: value })
    }
    return decoded
  }
  return Object.values(JSON.parse(head ?? '') as Readonly<Record<number, Encoded>>).map(decode)
}

/** A value, whose deferred parts, or which itself, arrive as chunks. */
type Encoded = readonly [
  value: readonly unknown[],
  ...deferred: readonly [name: string | null, type: number, id: number][],
]

/** The status is 0 for a value, 1 for an error. */
type Chunk = readonly [id: number, status: number, value: Encoded]

import type { HttpHeaders } from '../http/HttpExchange.ts'
import { assertUniqueFields } from '../http/readBody.ts'
import type { PreparedProcedure } from '../procedure/prepareProcedure.ts'

/** Calls in the plain protocol of tRPC: JSON in, JSON out. */
export type PlainRequest = {
  /** Whether the response is an array, with one element for each call. */
  readonly isBatch: boolean
  readonly calls: readonly PlainCall[]
}

/** One call of a plain request. */
export type PlainCall = { readonly operation: string; readonly procedure: PreparedProcedure; readonly input: unknown }

/**
 * Parses a request in the plain protocol of tRPC: known procedures of one type, requested by a method that they have,
 * as one call or as a batch, with inputs in JSON.
 *
 * @param body the text of a POST body
 * @returns undefined for any other request: a stream, connection parameters, or what tRPC refuses
 * @throws `svc/invalid-request` if an object of the input has a field twice
 */
export function parsePlainRequest(
  procedures: ReadonlyMap<string, PreparedProcedure>,
  { method, headers, operations, query, body }: parsePlainRequest.Request,
): PlainRequest | undefined {
  if (!isPlain(headers)) return undefined
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) if (name !== 'batch' && name !== 'input') return undefined
  const isBatch = parameters.get('batch') === '1'
  if (!isBatch && operations.length > 1) return undefined
  const found = operations.map((operation) => procedures.get(operation))
  if (!found.every((procedure) => procedure && procedure.type === found[0]?.type)) return undefined
  if (!acceptsMethod(method, found[0]?.type)) return undefined
  const inputs = parseInputs(method === 'GET' ? parameters.get('input') : body, isBatch)
  if (!inputs) return undefined
  const calls = operations.map((operation, index) => {
    return { operation, procedure: found[index] as PreparedProcedure, input: inputs[index] }
  })
  return { isBatch, calls }
}

export declare namespace parsePlainRequest {
  type Request = {
    readonly method: string
    readonly headers: HttpHeaders
    /** The names in the path. */
    readonly operations: readonly string[]
    readonly query: string
    readonly body: string
  }
}

const json = 'application/json'

/** Returns whether the request accepts a plain response and sends only JSON. */
function isPlain(headers: HttpHeaders): boolean {
  if (headers.has('trpc-accept') || headers.get('accept')?.includes('jsonl') === true) return false
  const declared = headers.get('content-type')
  return declared === null || declared === json || declared.startsWith(`${json};`)
}

/** Returns whether a type accepts a method. A query also accepts POST: tRPC calls this a method override. */
function acceptsMethod(method: string, type: PreparedProcedure['type'] | undefined): boolean {
  return type === 'query' ? method === 'GET' || method === 'POST' : type === 'mutation' && method === 'POST'
}

/**
 * Returns the inputs by the index of their call; undefined if the text is not JSON, or if a batch is not an object.
 *
 * @throws the error of `parseUniqueJson`
 */
function parseInputs(text: string | null, isBatch: boolean): Readonly<Record<number, unknown>> | undefined {
  if (text === null || text === '') return {}
  const parsed = parseUniqueJson(text)
  if (!parsed) return undefined
  const { value } = parsed
  if (!isBatch) return [value]
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<number, unknown>) : undefined
}

/**
 * Parses the JSON text of a request, if it is JSON.
 *
 * @throws `svc/invalid-request` if an object in it has a field twice
 */
export function parseUniqueJson(text: string): ParsedJson | undefined {
  const parsed = parseJson(text)
  if (parsed) assertUniqueFields(text, parsed.value)
  return parsed
}

/** Parses a text, if it is JSON. */
export function parseJson(text: string): ParsedJson | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** The value of a JSON text. */
export type ParsedJson = { readonly value: unknown }

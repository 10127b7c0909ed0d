import { Errors } from '@agio/core'
import type { HttpHeaders } from '../http/HttpExchange.ts'
import { assertUniqueFields } from '../http/readBody.ts'
import type { PreparedProcedure } from '../procedure/prepareProcedure.ts'
import { isBatch as hasBatch } from './procedureNames.ts'

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
 * @throws the errors of `parseInput`
 */
export function parsePlainRequest(
  procedures: ReadonlyMap<string, PreparedProcedure>,
  { method, headers, operations, query, body }: parsePlainRequest.Request,
): PlainRequest | undefined {
  if (!isPlain(headers)) return undefined
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) if (name !== 'batch' && name !== 'input') return undefined
  const isBatch = hasBatch(parameters)
  const found = operations.map((operation) => procedures.get(operation))
  if (!found.every((procedure) => procedure && procedure.type === found[0]?.type)) return undefined
  if (!acceptsMethod(method, found[0]?.type)) return undefined
  const parsed = parseInput({ method, body }, parameters)
  const inputs = parsed && listInputs(parsed.value, isBatch)
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

/** Returns the inputs by the index of their call; undefined if a batch is not an object. */
function listInputs(input: unknown, isBatch: boolean): Readonly<Record<number, unknown>> | undefined {
  if (!isBatch) return [input]
  if (input === undefined) return {}
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject ? (input as Record<number, unknown>) : undefined
}

/**
 * Parses the input of a request: the parameter `input` of a GET, or the body of a POST.
 *
 * @returns the value `undefined` without an input, and undefined if the input is not JSON
 * @throws `svc/invalid-request` if the query has several inputs, or if an object of the input has a field twice
 */
export function parseInput(
  { method, body }: Pick<parsePlainRequest.Request, 'method' | 'body'>,
  parameters: URLSearchParams,
): ParsedJson | undefined {
  if (method !== 'GET') return body === '' ? { value: undefined } : parseUniqueJson(body)
  const [text = '', ...repeated] = parameters.getAll('input')
  if (repeated.length > 0) throw Errors.invalidRequest({ field: 'input', reason: 'it is given more than once' })
  return text === '' ? { value: undefined } : parseUniqueJson(text, 'input')
}

/**
 * Parses the JSON text of a request, if it is JSON.
 *
 * @param field the query parameter with the text. Default: the body
 * @throws `svc/invalid-request` if an object in it has a field twice
 */
export function parseUniqueJson(text: string, field?: string): ParsedJson | undefined {
  const parsed = parseJson(text)
  if (parsed) assertUniqueFields(text, parsed.value, field)
  return parsed
}

function parseJson(text: string): ParsedJson | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** The value of a JSON text. */
type ParsedJson = { readonly value: unknown }

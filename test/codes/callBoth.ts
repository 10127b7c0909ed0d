import type { ErrorCode } from '@agio/core'
import { expect } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { expectDocumented } from '../harness/openApi.ts'
import { apiKey } from '../harness/settingsFor.ts'
import type { CodesStack } from './startCodesStack.ts'

/** Provokes a code over REST and over tRPC. Its effects are undone when its test ends. */
export type Case = (stack: CodesStack) => Promise<Failures>

/** The cases of some codes. */
export type Cases = Readonly<Partial<Record<ErrorCode, Case>>>

type Failures = Readonly<Record<'REST' | 'tRPC', FailedCall>>

/** An error response. */
export type FailedCall = {
  readonly status: number
  /** The body over REST; the message and the data of the error over tRPC. */
  readonly failure: Readonly<Record<string, unknown>>
}

/** Calls an operation that must fail, over REST and tRPC at once. Both responses are validated against openapi.json. */
export async function callBoth(
  url: string,
  [operation, input]: readonly [string, Readonly<Record<string, unknown>>],
  key = apiKey,
): Promise<Failures> {
  const call = async (createCaller: typeof createRestCaller): Promise<FailedCall> => {
    const { status, failure } = await createCaller({ url, apiKey: key })(operation, input)
    if (!failure) throw new Error(`Cannot provoke an error of ${operation}: it succeeds`)
    return { status, failure }
  }
  const [REST, tRPC] = await Promise.all([call(createRestCaller), call(createTrpcCaller)])
  return { REST, tRPC }
}

type Sent = {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | null
  readonly operation?: string
}

/**
 * Sends two malformed requests that must fail: one over REST, one to `/trpc`.
 *
 * @param rest `operation` names the operation whose documented errors the response must match
 */
export async function sendBoth(url: string, rest: Sent, trpc: Sent): Promise<Failures> {
  const failures = toFailures(await Promise.all([send(url, rest), send(url, trpc)]))
  if (rest.operation !== undefined) expectDocumented(rest.operation, failures.REST.status, failures.REST.failure)
  return failures
}

/** Returns the errors of a response over REST and of one of `/trpc`. */
export function toFailures([rest, trpc]: readonly [Response, Response]): Failures {
  const { message, data } = (trpc.body as { readonly error: TrpcError }).error
  const { httpStatus: status, path: _, ...fields } = data
  expect(trpc.status).toBe(status)
  return {
    REST: { status: rest.status, failure: rest.body as FailedCall['failure'] },
    tRPC: { status, failure: { ...fields, error: message } },
  }
}

type Response = { readonly status: number; readonly body: unknown }

type TrpcError = { readonly message: string; readonly data: { readonly httpStatus: number; readonly path?: string } }

async function send(url: string, { path, method = 'GET', headers = {}, body: sent = null }: Sent): Promise<Response> {
  const init = { method, headers: { 'x-api-key': apiKey, ...headers }, body: sent }
  const response = await fetch(`${url}${path}`, init)
  expect(response.headers.get('content-type')).toBe('application/json')
  const body: unknown = await response.json()
  return { status: response.status, body }
}

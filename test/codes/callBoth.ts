import { expect } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { expectDocumented } from '../harness/openApi.ts'
import { apiKey } from '../harness/settingsFor.ts'
import type { FailedCall } from './Case.ts'

/** Calls an operation that must fail, over REST and tRPC at once. Both responses are validated against openapi.json. */
export async function callBoth(
  url: string,
  [operation, input]: readonly [string, Readonly<Record<string, unknown>>],
  key = apiKey,
): Promise<Readonly<Record<'REST' | 'tRPC', FailedCall>>> {
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

type TrpcError = { readonly message: string; readonly data: { readonly httpStatus: number; readonly path?: string } }

/**
 * Sends two malformed requests that must fail: one over REST, one to `/trpc`.
 *
 * @param rest `operation` names the operation whose documented errors the response must match
 */
export async function sendBoth(
  url: string,
  rest: Sent,
  trpc: Sent,
): Promise<Readonly<Record<'REST' | 'tRPC', FailedCall>>> {
  const [overRest, overTrpc] = await Promise.all([send(url, rest), send(url, trpc)])
  const failure = overRest.body as Readonly<Record<string, unknown>>
  if (rest.operation !== undefined) expectDocumented(rest.operation, overRest.status, failure)
  const { error } = overTrpc.body as { readonly error: TrpcError }
  const { httpStatus, path: _, ...data } = error.data
  expect(overTrpc.status).toBe(httpStatus)
  return {
    REST: { status: overRest.status, failure },
    tRPC: { status: httpStatus, failure: { ...data, error: error.message } },
  }
}

async function send(url: string, { path, method = 'GET', headers = {}, body: sent = null }: Sent) {
  const init = { method, headers: { 'x-api-key': apiKey, ...headers }, body: sent }
  const response = await fetch(`${url}${path}`, init)
  expect(response.headers.get('content-type')).toBe('application/json')
  const body: unknown = await response.json()
  return { status: response.status, body }
}

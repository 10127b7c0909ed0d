import { request } from 'undici'
import { expect } from 'vitest'
import type { Target } from './Target.ts'
import type { Caller, Failure } from './Caller.ts'
import { expectDocumented, findOperation } from './openApi.ts'

type Input = Readonly<Record<string, unknown>>

/** A caller over REST, which builds path, query and body from the input by openapi.json. */
export function createRestCaller({
  url,
  apiKey,
  headers,
}: Pick<Target, 'url' | 'apiKey'> & { readonly headers?: Readonly<Record<string, string>> }): Caller {
  return async (operation, input) => {
    const { method, path } = findOperation(operation)
    const { resolved, rest } = fillPath(path, input)
    const body = method === 'GET' ? null : JSON.stringify(rest)
    const response = await request(`${url}${resolved}${method === 'GET' ? toQuery(rest) : ''}`, {
      method: method as 'GET' | 'POST',
      headers: { ...headers, 'x-api-key': apiKey, ...(body !== null && { 'content-type': 'application/json' }) },
      body,
    })
    const answer = (await response.body.json()) as { success: boolean; data?: Input } & Failure
    expect(response.headers['content-type']).toBe('application/json')
    expect(response.headers['x-request-id']).toBeTypeOf('string')
    expectDocumented(operation, response.statusCode, answer)
    expect(answer.success).toBe(response.statusCode === 200)
    if (answer.success) return { status: response.statusCode, data: answer.data }
    expect(answer['error']).toMatch(new RegExp(`^${answer.code}: `))
    return { status: response.statusCode, failure: answer }
  }
}

/** Fills the parameters of a path from an input, and returns the rest of the input too. */
export function fillPath(path: string, input: Input): { resolved: string; rest: Input } {
  const rest = { ...input }
  const resolved = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { resolved, rest }
}

function toQuery(input: Input): string {
  const defined = Object.entries(input).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(defined.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return query === '' ? '' : `?${query}`
}

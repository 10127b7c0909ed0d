import type { AnyRouter } from '@trpc/server'
import type { z } from 'zod'
import { listProcedures } from '../procedure/listProcedures.ts'
import type { Meta } from '../procedure/procedure.ts'

/** A REST endpoint, from the `openapi` meta of its procedure. */
export type RestEndpoint = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** The path as a template, for instance `/api/v1/pools/{poolAddress}`. */
  readonly path: string
  /** The name of the procedure, for instance `pools.get`. */
  readonly operation: string
  readonly scope: Meta['scope']
  readonly errors: NonNullable<Meta['errors']>
  /** The role that an operator needs; undefined for operations with an API key. */
  readonly role: Meta['role']
  /** The example of the body; undefined if the examples of the fields form the example. */
  readonly example: Meta['example']
  /** Whether the operation accepts the header `Idempotency-Key`. */
  readonly isIdempotent: boolean
  /** The fields of the input; `default` is the value of an omitted field, if it has one. */
  readonly fields: Readonly<Record<string, { readonly isRequired: boolean; readonly default: unknown }>>
  /** Whether the body may be empty. */
  readonly isBodyOptional: boolean
  /** The parameters of the path, with the index of their segment. */
  readonly parameters: readonly { readonly name: string; readonly segmentIndex: number }[]
  /** A trailing path parameter that may be omitted, with its default. */
  readonly optional?: { readonly name: string; readonly value: string } | undefined
}

/** The endpoint of a request; the methods of its path if the method is not one of them; undefined for an unknown path. */
export type EndpointMatch =
  | { readonly endpoint: RestEndpoint; readonly path: string }
  | { readonly allow: readonly string[] }
  | undefined

/** Lists the REST endpoints of a router. */
export function listRestEndpoints(router: AnyRouter): readonly RestEndpoint[] {
  return [...listProcedures(router)].flatMap(([operation, { meta, inputs }]) => {
    const { openapi, scope, errors = [], role, example, isIdempotent = false } = meta
    if (!openapi || !isRestMethod(openapi.method)) return []
    const { method, path } = openapi
    const fields = listFields(inputs[0])
    const isBodyOptional = Object.entries(fields).every(
      ([name, { isRequired }]) => !isRequired || isInPath({ path }, name),
    )
    const optional = findOptionalParameter(path, fields)
    const parameters = listParameters(path)
    return [
      {
        method,
        path,
        operation,
        scope,
        errors,
        role,
        example,
        isIdempotent,
        fields,
        isBodyOptional,
        parameters,
        optional,
      },
    ]
  })
}

/**
 * Creates the matcher of REST endpoints.
 *
 * @returns a function that returns the endpoint of a request and its complete path. If the path does not support the method, it
 * returns the methods that the path supports. If no endpoint has the path, it returns undefined
 */
export function createEndpointMatcher(router: AnyRouter): (method: string, path: string) => EndpointMatch {
  const candidates = listRestEndpoints(router).flatMap((endpoint) => {
    const whole = { endpoint, path: endpoint.path, rewrite: (path: string) => path }
    if (!endpoint.optional) return [whole]
    const { name, value } = endpoint.optional
    const short = endpoint.path.slice(0, -`/{${name}}`.length)
    return [whole, { endpoint, path: short, rewrite: (path: string) => `${path}/${value}` }]
  })
  const fixed = Map.groupBy(
    candidates.filter(({ path }) => !path.includes('{')),
    ({ path }) => path,
  )
  const patterns = candidates
    .filter(({ path }) => path.includes('{'))
    .map((candidate) => ({ ...candidate, pattern: toPattern(candidate.path) }))
  return (method, path) => {
    const matching = fixed.get(path) ?? patterns.filter(({ pattern }) => pattern.test(path))
    const found = matching.find(({ endpoint }) => endpoint.method === method)
    if (found) return { endpoint: found.endpoint, path: found.rewrite(path) }
    return matching.length > 0 ? { allow: matching.map(({ endpoint }) => endpoint.method) } : undefined
  }
}

/** Whether a field of the input is a parameter of the path. */
export function isInPath({ path }: Pick<RestEndpoint, 'path'>, field: string): boolean {
  return path.includes(`{${field}}`)
}

function isRestMethod(method: string): method is RestEndpoint['method'] {
  return method === 'GET' || method === 'POST' || method === 'PATCH'
}

function listParameters(path: string): RestEndpoint['parameters'] {
  return path
    .split('/')
    .flatMap((part, segmentIndex) => (part.startsWith('{') ? [{ name: part.slice(1, -1), segmentIndex }] : []))
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function listFields(input: z.ZodType | undefined): RestEndpoint['fields'] {
  if (!input) return {}
  const { shape } = ('unwrap' in input ? (input as z.ZodOptional<z.ZodObject>).unwrap() : input) as z.ZodObject
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const absent = (schema as z.ZodType).safeParse(undefined)
      return [name, { isRequired: !absent.success, default: absent.data }]
    }),
  )
}

function findOptionalParameter(path: string, fields: RestEndpoint['fields']): RestEndpoint['optional'] {
  const name = /\{(\w+)\}$/.exec(path)?.[1]
  const value = name === undefined ? undefined : fields[name]?.default
  return name !== undefined && typeof value === 'number' ? { name, value: value.toString() } : undefined
}

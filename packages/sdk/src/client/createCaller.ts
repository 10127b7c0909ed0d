import { createTRPCUntypedClient, httpLink } from '@trpc/client'
import type { AnyRouter } from '@trpc/server'
import type { CallOptions } from '../api/procedures.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { assertJson } from './assertJson.ts'
import { requestService } from './requestService.ts'
import { retry } from './retry.ts'
import { toEndpoint } from './toEndpoint.ts'
import { withSignal } from './withSignal.ts'

const defaultMaxRetries = 3

const kinds: Readonly<Record<string, Call['kind']>> = { query: 'query', mutate: 'mutation' }

/**
 * Creates a client for the procedures of a service: `caller.pools.list.query(input, { signal })`. The caller declares
 * their types. All requests use POST, so that quotes and signatures stay out of URLs, which proxies and browsers log.
 * An aborted call rejects with the reason of its signal.
 *
 * @throws TypeError for an invalid URL or a URL with a secret
 */
export function createCaller({ url, fetch, maxRetries, key }: createCaller.Settings): unknown {
  const client = createTRPCUntypedClient<AnyRouter>({
    links: [
      httpLink({
        url: toEndpoint(url),
        methodOverride: 'POST',
        headers: ({ op }) => op.context['headers'] as Readonly<Record<string, string>>,
        fetch: async (target, init) => {
          // The global `fetch` is looked up at each request, because tests and pages replace it.
          const body = await requestService(target as string, {
            ...(init as RequestInit),
            fetch: fetch ?? globalThis.fetch,
          })
          return { ok: true, json: () => Promise.resolve(body) }
        },
      }),
    ],
  })
  const request = ({ kind, path, input, signal }: Call) =>
    withSignal(signal, async (own) => {
      const context = { headers: await toKeyHeaders(key) }
      try {
        return await client[kind](path, input, { signal: own, context })
      } catch (error) {
        throw error instanceof Error && isAgioError(error.cause) ? error.cause : error
      }
    })
  const call = async (of: Call) =>
    of.kind === 'mutation'
      ? await request(of)
      : await retry(() => request(of), { maxRetries: maxRetries ?? defaultMaxRetries, signal: of.signal })
  return createProcedures(call, [])
}

export declare namespace createCaller {
  type Settings = {
    /** Base URL of the service, or of a proxy in front of it. */
    readonly url: string
    readonly fetch?: typeof globalThis.fetch | undefined
    /** How often a failed query is retried. Default: 3. */
    readonly maxRetries?: number | undefined
    /** The key and the name of its header. Requests have no key if it is undefined. */
    readonly key?: Key | undefined
  }
  type Key = { readonly header: string; readonly get: () => string | Promise<string> }
}

type Call = {
  readonly kind: 'query' | 'mutation'
  readonly path: string
  readonly input: unknown
  readonly signal: AbortSignal | undefined
}

/** Returns the header with a key. @throws TypeError for a key that is not allowed in a header */
export async function toKeyHeaders(key: createCaller.Key | undefined): Promise<Readonly<Record<string, string>>> {
  if (!key) return {}
  const value: unknown = await key.get()
  // The error of `fetch` would contain the key.
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return { [key.header]: value }
  throw new TypeError('Cannot use the key: it is empty, or has spaces, line breaks or non-ASCII characters')
}

/** Creates the procedures below a path. Any name is accepted, because only the types know the names. */
function createProcedures(call: (of: Call) => Promise<unknown>, path: readonly string[]): object {
  const known = new Map<string, unknown>()
  const create = (name: string): unknown => {
    const kind = kinds[name]
    if (!kind) return createProcedures(call, [...path, name])
    // A POST without a body is not JSON.
    return async (input: unknown = {}, { signal }: CallOptions = {}) => {
      assertJson(input, path.join('.'))
      return await call({ kind, path: path.join('.'), input, signal })
    }
  }
  return new Proxy(
    {},
    {
      get(target, name) {
        if (typeof name !== 'string' || name in target) return Reflect.get(target, name)
        // Promises, JSON and React look for these names.
        if (name === 'then' || name === 'toJSON' || name === '$$typeof') return undefined
        if (!known.has(name)) known.set(name, create(name))
        return known.get(name)
      },
    },
  )
}

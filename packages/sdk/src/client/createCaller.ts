import { idempotentMutations } from '../api/AgioApi.ts'
import type { CallOptions } from '../api/procedures.ts'
import { isAgioError, type AnyAgioError } from '../errors/AgioError.ts'
import { assertAnswer } from '../errors/assertAnswer.ts'
import { requestService, toEndpoint } from './requestService.ts'
import { toHex } from './toHex.ts'
import { withSignal, wait } from './withSignal.ts'

const defaultMaxRetries = 3

const kinds: Readonly<Record<string, Call['kind']>> = { query: 'query', mutate: 'mutation' }

// The service itself waits up to 15 seconds for the receipt of a broadcast.
const firstByteMs = { query: 30_000, mutation: 60_000 }

// A backup is answered once its file is complete. Node's own fetch waits for five minutes at most.
const slowFirstByteMs: Readonly<Record<string, number>> = { 'admin.backups.create': 290_000 }

/**
 * Creates a client for the procedures of a service: `caller.pools.list.query(input, { signal })`. Cast it to the
 * type of the procedures. All requests use POST, so that quotes and signatures stay out of URLs, which proxies and browsers log.
 * An aborted call rejects with the reason of its signal.
 *
 * @throws TypeError for an invalid URL or a URL with a secret
 */
export function createCaller({ fetch, maxRetries, maxBytes, key, ...service }: createCaller.Options): unknown {
  const url = toEndpoint(service)
  const request = ({ kind, path, input, signal }: Call, headers: Readonly<Record<string, string>> = {}) =>
    withSignal(signal, async (own) => {
      const target = `${url}/${path}`
      const data = await requestService(target, {
        // Looked up at each request, because tests and pages replace it.
        fetch: fetch ?? globalThis.fetch,
        headers: { ...(await toKeyHeaders(key)), ...headers },
        body: JSON.stringify(input),
        signal: own,
        firstByteMs: slowFirstByteMs[path] ?? firstByteMs[kind],
        maxBytes,
      })
      assertAnswer(path, data, target)
      return data
    })
  const run = async (call: Call) => {
    const isIdempotent = idempotentMutations.has(call.path)
    if (call.kind === 'mutation' && !isIdempotent) return await request(call)
    // The same key in each attempt, so that the service creates only once.
    const headers = isIdempotent ? { 'idempotency-key': toHex(crypto.getRandomValues(new Uint8Array(32))) } : {}
    return await retry(() => request(call, headers), {
      maxRetries: maxRetries ?? defaultMaxRetries,
      signal: call.signal,
    })
  }
  return createProcedures(run, [])
}

export declare namespace createCaller {
  type Options = toEndpoint.Options & {
    readonly fetch?: typeof globalThis.fetch | undefined
    /** How often a failed query is retried. Default: 3. */
    readonly maxRetries?: number | undefined
    /** Most bytes of a response. Default: 1 MB. */
    readonly maxBytes?: number | undefined
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
  // Checked here, because the error of `fetch` would contain the key.
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return { [key.header]: value }
  throw new TypeError('Cannot use the key: it is empty, or has spaces, line breaks or non-ASCII characters')
}

/** Creates the procedures below a path. Any name is accepted, because only the types know the names. */
function createProcedures(run: (call: Call) => Promise<unknown>, path: readonly string[]): object {
  const procedures = new Map<string, unknown>()
  const create = (name: string): unknown => {
    const kind = kinds[name]
    if (!kind) return createProcedures(run, [...path, name])
    // A POST without a body is not JSON.
    return async (input: unknown = {}, { signal }: CallOptions = {}) => {
      assertJson(input, path.join('.'))
      return await run({ kind, path: path.join('.'), input, signal })
    }
  }
  return new Proxy(
    {},
    {
      get(target, name) {
        if (typeof name !== 'string' || name in target) return Reflect.get(target, name)
        // Promises, JSON and React look for these names.
        if (name === 'then' || name === 'toJSON' || name === '$$typeof') return undefined
        if (!procedures.has(name)) procedures.set(name, create(name))
        return procedures.get(name)
      },
    },
  )
}

/**
 * Asserts that an input has no bigint, which JSON cannot represent.
 *
 * @throws TypeError that names the field
 */
export function assertJson(input: unknown, procedure: string): void {
  const field = findBigint(input, '')
  if (field === undefined) return
  const state = `${field === '' ? 'the input' : field} is a bigint. Pass amounts as decimal strings in whole tokens, such as '1.5'`
  throw new TypeError(`Cannot call ${procedure}: ${state}`)
}

/** Returns the path of the first bigint. The depth is limited, and JSON itself rejects endless nesting. */
function findBigint(value: unknown, path: string, depth = 0): string | undefined {
  if (typeof value === 'bigint') return path
  if (typeof value !== 'object' || value === null || depth > maxDepth) return undefined
  for (const [name, member] of Object.entries(value)) {
    const found = findBigint(member, path === '' ? name : `${path}.${name}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

const maxDepth = 10

const firstDelayMs = 200
const maxDelayMs = 5000
const maxRetryAfterSeconds = 30

/**
 * Retries a call as long as its error says that the same call can succeed within seconds. Each delay is at least the
 * time that the service demands, plus a random time that grows with each attempt, so that clients do not return all at
 * once.
 *
 * @throws the last error of the call, or the reason of the signal
 */
async function retry<Result>(
  call: () => Promise<Result>,
  { maxRetries, signal, random = Math.random }: retry.Options,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (attempt >= maxRetries || !isAgioError(error) || !isTransient(error)) throw error
      await wait(toDelayMs(error, { attempt, random }), signal)
    }
  }
}

declare namespace retry {
  type Options = {
    /** Largest number of retries. */
    readonly maxRetries: number
    /** Stops waiting. */
    readonly signal?: AbortSignal | undefined
    /** Returns a number from 0 to 1. */
    readonly random?: () => number
  }
}

function isTransient({ retryable, action, retryAfterSeconds }: AnyAgioError): boolean {
  return retryable && (retryAfterSeconds === undefined ? action === 'retry' : retryAfterSeconds <= maxRetryAfterSeconds)
}

type Attempt = { readonly attempt: number; readonly random: () => number }

function toDelayMs({ retryAfterSeconds = 0 }: AnyAgioError, { attempt, random }: Attempt): number {
  return retryAfterSeconds * 1000 + random() * Math.min(firstDelayMs * 2 ** attempt, maxDelayMs)
}

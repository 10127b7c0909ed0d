import { AgioError } from '@agio/sdk'
import { createStore, type StoreApi } from 'zustand'

/** A recorded call, as shown on the Developers page. Headers are left out, because they contain the key. */
export type Call = {
  readonly id: number
  /** Time of the request, in milliseconds. */
  readonly at: number
  /** Name of the procedure, such as `convert.quote`. */
  readonly procedure: string
  /** Its input as JSON. */
  readonly input: unknown
  /** Undefined until the response arrives. */
  readonly response?: CallResponse
}

/** The response to a call, or its failure. */
export type CallResponse = {
  /** HTTP status. Undefined without a response. */
  readonly status: number | undefined
  readonly ms: number
  readonly requestId: string | undefined
  /** The start of the raw body without secrets of keys, or the error of `fetch`. */
  readonly text: string
  /** Size of the whole body in bytes. */
  readonly bytes: number
  /** Whether the body is longer than `text`. */
  readonly isCut: boolean
  /** Whether the page cancelled the call because it no longer needed the response. */
  readonly isAborted: boolean
}

/**
 * Number of calls to keep, enough for some minutes of typing. Most responses have a few kilobytes, all of them together
 * a few hundred.
 */
export const maxCalls = 100
const maxTextBytes = 65_536

/** Creates the store of the last calls, newest first, and of the key's limits from the last response. */
export function createCalls(): StoreApi<Calls> {
  return createStore((set) => ({
    calls: [],
    total: 0,
    limits: undefined,
    limitsAt: 0,
    clear: () => set({ calls: [] }),
  }))
}

type Calls = {
  readonly calls: readonly Call[]
  /** Total number of calls since the page was opened. */
  readonly total: number
  /** The windows of the key: rate, burst and node requests. Undefined for a key without limits. */
  readonly limits: readonly RateWindow[] | undefined
  /** Time of the response with these limits, in milliseconds. */
  readonly limitsAt: number
  /** Clears the recorded calls. Their total number and the limits of the key are kept. */
  clear(): void
}

/** Returns a `fetch` that records its requests in a store without headers, because they contain the key. */
export function recordCalls(store: StoreApi<Calls>, send: typeof fetch): typeof fetch {
  return async (target, init) => {
    const startedAt = performance.now()
    const call = addCall(store, target, init)
    const finish = (response: Partial<CallResponse>) => {
      const ms = Math.round(performance.now() - startedAt)
      const isAborted = response.bytes === undefined && init?.signal?.aborted === true
      addResponse(store, call, { ...noResponse, ...response, ms, isAborted })
    }
    try {
      const response = await send(target, init)
      if (!call.procedure.startsWith('admin.')) {
        store.setState({ limits: parseRateLimit(response.headers), limitsAt: Date.now() })
      }
      if (isStream(response)) {
        finish({ ...toNamed(response), text: '', bytes: 0 })
        return response
      }
      // Reads a copy, because the caller gets the original response.
      void readResponse(call.procedure, response.clone()).then(finish)
      return response
    } catch (error) {
      finish({ text: String(error) })
      throw error
    }
  }
}

function addCall(store: StoreApi<Calls>, target: string | URL | Request, init: RequestInit | undefined): Call {
  const { pathname } = new URL(target instanceof Request ? target.url : target, 'http://localhost')
  const call: Call = {
    id: store.getState().total + 1,
    at: Date.now(),
    procedure: pathname.slice(pathname.indexOf('/trpc/') + '/trpc/'.length),
    input: parseInput(init?.body),
  }
  store.setState(({ calls, total }) => ({ calls: [call, ...calls].slice(0, maxCalls), total: total + 1 }))
  return call
}

function addResponse(store: StoreApi<Calls>, { id }: Call, response: CallResponse): void {
  store.setState(({ calls }) => ({ calls: calls.map((call) => (call.id === id ? { ...call, response } : call)) }))
}

const noResponse = { status: undefined, requestId: undefined, text: '', bytes: 0, isCut: false }

/** Reads a response. If the body breaks off, the text is the error, and the size is missing. */
async function readResponse(procedure: string, response: Response): Promise<Partial<CallResponse>> {
  const named = toNamed(response)
  try {
    const { text, bytes } = await readStart(response.body, maxTextBytes)
    return { ...named, text: hideSecrets(procedure, text), bytes, isCut: bytes > maxTextBytes }
  } catch (error) {
    return { ...named, text: String(error) }
  }
}

function toNamed({ status, headers }: Response): Pick<CallResponse, 'status' | 'requestId'> {
  return { status, requestId: headers.get('x-request-id') ?? undefined }
}

/** Returns whether a response is a stream, which stays open while the page shows its topic. */
function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

function parseInput(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}

// Also matches a part of a key, because a cut body may end inside it.
const keyPattern = /agio_[\w-]{12,}/g
const keyField = /"key"(\s*):(\s*)"[^"]*"?/g

/**
 * Replaces the secrets of keys in a body with `agio_…`. The page shows the secret of a new key only once, in its
 * dialog.
 */
export function hideSecrets(procedure: string, text: string): string {
  const hidden = text.replaceAll(keyPattern, 'agio_…')
  return procedure.startsWith('admin.keys.') ? hidden.replaceAll(keyField, '"key"$1:$2"agio_…"') : hidden
}

/** Reads a body to its end. Returns its start as text and its total size. The rest is discarded. */
export async function readStart(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Start> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) {
    const room = Math.max(0, maxBytes - bytes)
    text += decoder.decode(chunk.value.subarray(0, room), { stream: true })
    bytes += chunk.value.byteLength
  }
  return { text, bytes }
}

type Start = { readonly text: string; readonly bytes: number }

/**
 * Returns the API key for a request.
 *
 * @throws `svc/unauthorized` without a key, like the service, but without sending a request
 */
export function getApiKey({ apiKey }: { readonly apiKey: string }): string {
  if (apiKey !== '') return apiKey
  throw new AgioError('svc/unauthorized', 'Cannot call the service: enter an API key first', {
    details: {},
    retryable: false,
    action: 'fix_input',
  })
}

/** A window of a rate limit from the headers `RateLimit-Policy` and `RateLimit`. */
export type RateWindow = {
  /** The tier, `burst` or `nodes`. */
  readonly name: string
  /** Calls, or requests to the nodes, per window. */
  readonly limit: number
  /** Length in seconds. */
  readonly windowSeconds: number
  /** Remaining calls. */
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly resetSeconds: number
}

/** Parses the limits of a key from the headers of a response. Returns undefined without limits. */
export function parseRateLimit(headers: Headers): readonly RateWindow[] | undefined {
  const policies = parseItems(headers.get('ratelimit-policy'))
  const states = parseItems(headers.get('ratelimit'))
  if (policies.size === 0) return undefined
  return [...policies].map(([name, { q = 0, w = 0 }]) => {
    const { r = q, t = w } = states.get(name) ?? {}
    return { name, limit: q, windowSeconds: w, remaining: r, resetSeconds: t }
  })
}

type Parameters = Readonly<Partial<Record<'q' | 'w' | 'r' | 't', number>>>

/** Parses a list such as `"burst";r=9;t=1`. */
function parseItems(header: string | null): ReadonlyMap<string, Parameters> {
  const items = header?.matchAll(/"([^"]*)"((?:;\w+=\d+)*)/g) ?? []
  return new Map(
    [...items].map(([, name = '', parameters = '']) => {
      const pairs = [...parameters.matchAll(/(\w+)=(\d+)/g)].map(([, key = '', value]) => [key, Number(value)])
      return [name, Object.fromEntries(pairs) as Parameters]
    }),
  )
}

import { create } from 'zustand'
import { hideSecrets } from './hideSecrets.ts'
import { parseRateLimit, type RateWindow } from './parseRateLimit.ts'
import { readStart } from './readStart.ts'

/** A call of the page, as the Developers page shows it. It has no headers, since one of them is the key. */
export type Call = {
  readonly id: number
  /** Time of the request, in milliseconds. */
  readonly at: number
  /** Name of the procedure, such as `convert.quote`. */
  readonly procedure: string
  /** Its input, which is JSON. */
  readonly input: unknown
  /** Undefined while the response is on its way. */
  readonly response?: CallResponse
}

export type CallResponse = {
  /** HTTP status; undefined if none arrived. */
  readonly status: number | undefined
  readonly ms: number
  readonly requestId: string | undefined
  /** The start of the body as it came, without the secrets of keys; the error of `fetch` if it did not arrive. */
  readonly text: string
  /** Size of the whole body. */
  readonly bytes: number
  /** Whether the body is longer than `text`. */
  readonly isCut: boolean
  /** Whether the page itself has ended the call, since it needs the response no more. */
  readonly isAborted: boolean
}

/** How many calls are kept: enough for some minutes of typing. Most responses have a few kilobytes, all of them some hundred. */
export const maxCalls = 100
const maxTextBytes = 65_536

/** The last calls of the page, the newest first, and what the last response said of the limits of the key. */
export const useCalls = create<Calls>(() => ({ calls: [], total: 0, limits: undefined, limitsAt: 0 }))

type Calls = {
  readonly calls: readonly Call[]
  /** Number of all calls since the page was opened. */
  readonly total: number
  /** The windows of the key: rate and burst; undefined for a key without limits. */
  readonly limits: readonly RateWindow[] | undefined
  /** Time of the response that the limits are of, in milliseconds. */
  readonly limitsAt: number
}

/** Forgets the recorded calls. Their number, and the limits of the key, stay. */
export function clearCalls(): void {
  useCalls.setState({ calls: [] })
}

/** Sends a request as `fetch` does, and records it. */
export const fetchRecorded = recordCalls((target, init) => fetch(target, init))

/** Returns a `fetch` that records what it sends. The headers, which have the key, are left out. */
export function recordCalls(send: typeof fetch): typeof fetch {
  return async (target, init) => {
    const startedAt = performance.now()
    const call = addCall(target, init)
    const finish = (response: Partial<CallResponse>) => {
      const ms = Math.round(performance.now() - startedAt)
      const isAborted = response.bytes === undefined && init?.signal?.aborted === true
      addResponse(call, { ...noResponse, ...response, ms, isAborted })
    }
    try {
      const response = await send(target, init)
      if (!call.procedure.startsWith('admin.')) {
        useCalls.setState({ limits: parseRateLimit(response.headers), limitsAt: Date.now() })
      }
      if (isStream(response)) {
        finish({ ...toNamed(response), text: '', bytes: 0 })
        return response
      }
      // A copy, since the caller gets the response as it came.
      void readResponse(call.procedure, response.clone()).then(finish)
      return response
    } catch (error) {
      finish({ text: String(error) })
      throw error
    }
  }
}

function addCall(target: string | URL | Request, init: RequestInit | undefined): Call {
  const { pathname } = new URL(target instanceof Request ? target.url : target, 'http://localhost')
  const call: Call = {
    id: useCalls.getState().total + 1,
    at: Date.now(),
    procedure: pathname.slice(pathname.indexOf('/trpc/') + '/trpc/'.length),
    input: parseInput(init?.body),
  }
  useCalls.setState(({ calls, total }) => ({ calls: [call, ...calls].slice(0, maxCalls), total: total + 1 }))
  return call
}

function addResponse({ id }: Call, response: CallResponse): void {
  useCalls.setState(({ calls }) => ({ calls: calls.map((call) => (call.id === id ? { ...call, response } : call)) }))
}

const noResponse = { status: undefined, requestId: undefined, text: '', bytes: 0, isCut: false }

/** Reads a response; one that breaks off has the error as its text, and no size. */
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

/** Whether a response goes on for as long as the page shows what it is of. */
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

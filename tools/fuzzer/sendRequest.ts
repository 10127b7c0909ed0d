import { errors, type Dispatcher } from 'undici'
import { eventually } from '../../test/harness/timeLimits.ts'
import { encodeRequest } from './encodeRequest.ts'
import type { FuzzResponse, FuzzRequest } from './FuzzRequest.ts'
import { sendRaw } from './sendRaw.ts'

/** Sends a request with an HTTP client, or over a bare connection if the client rejects it. */
export async function sendRequest(client: Dispatcher, url: string, request: FuzzRequest): Promise<sendRequest.Sent> {
  try {
    // A server may close an idle connection while a client uses it again, which the client then repeats (RFC 9112, section 9.3.1).
    const answer = await sendByClient(client, request).catch((error: unknown) => {
      if (error instanceof errors.SocketError) return sendByClient(client, request)
      throw error
    })
    return { answers: [answer], isRaw: false, isAnswered: true }
  } catch (error) {
    if (isRefusal(error)) return await sendBare(url, request)
    throw error
  }
}

export declare namespace sendRequest {
  type Sent = {
    readonly answers: readonly FuzzResponse[]
    readonly isRaw: boolean
    /** False if a required response is missing. */
    readonly isAnswered: boolean
  }
}

async function sendByClient(client: Dispatcher, { method, target, headers, body }: FuzzRequest): Promise<FuzzResponse> {
  const response = await client.request({
    method,
    path: target,
    headers: headers.flat(),
    body: body ?? null,
    headersTimeout: eventually.timeout,
    bodyTimeout: eventually.timeout,
  })
  const answered = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
  return { status: response.statusCode, headers: Object.fromEntries(answered), text: await response.body.text() }
}

// With these headers a server may wait for more data.
const framing = new Set(['content-length', 'transfer-encoding', 'expect', 'upgrade'])

async function sendBare(url: string, request: FuzzRequest): Promise<sendRequest.Sent> {
  const { method, headers } = request
  const ending = headers.some(([name]) => framing.has(name.toLowerCase())) ? 'end' : 'wait'
  const bytes = encodeRequest({ ...request, headers: [...headers, ['Connection', 'close']] })
  const answers = await sendRaw(url, { bytes, ending, methods: [method], expected: 1 })
  return { answers, isRaw: true, isAnswered: answers.length > 0 || ending === 'end' || method === 'CONNECT' }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof errors.InvalidArgumentError ||
    error instanceof errors.NotSupportedError ||
    error instanceof errors.RequestContentLengthMismatchError
  )
}

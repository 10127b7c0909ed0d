import { connect } from 'node:net'
import fc from 'fast-check'
import { vi } from 'vitest'
import { parseResponses } from '../../test/edge/parseResponses.ts'
import { eventually } from '../../test/harness/timeLimits.ts'
import { encodeRequest, type FuzzRequest, type FuzzResponse, type Headers, type WireRequest } from './FuzzRequest.ts'
import { arbitraryRequests, toRequest } from './arbitraryRequests.ts'
import { arbitraryWire } from './arbitraryWire.ts'
import { checkResponse } from './checkResponse.ts'
import type { ValidCall } from './createValidCalls.ts'

const concurrency = 50
// Valid calls read the chain, whose node shares the process of the test, and each read has a time limit.
const validConcurrency = 4
// Requests are generated in lots that fit in memory.
const lots = 50

/** Sends every valid call and random requests of each kind to a service, and checks every response. */
export async function runFuzz(subject: Subject) {
  const { url, secrets } = subject
  /** Numbers of requests by kind, and of responses by status: `bare` for responses of the runtime's server. */
  const [sent, statuses]: [Record<string, number>, Record<string, number>] = [{}, {}]
  /** Numbers of valid calls by operation and status. The status of a call in a batch is in its error. */
  const outcomes: Record<string, Record<string, number>> = {}
  const violations: string[] = []

  async function send(request: FuzzRequest | WireRequest) {
    count(sent, request.kind)
    const answers = 'bytes' in request ? await sendBytes(url, request) : [await sendUntilRead(url, request)]
    for (const answer of answers) if (answer) check(request, answer)
  }
  function check(sentRequest: FuzzRequest | WireRequest, answer: FuzzResponse) {
    count(statuses, answer.headers['x-request-id'] === undefined ? 'bare' : answer.status)
    const violation = checkResponse(answer, 'bytes' in sentRequest ? undefined : sentRequest, secrets)
    if (violation !== undefined) violations.push(describe(sentRequest, violation, answer))
    if (!('bytes' in sentRequest) && sentRequest.call)
      count((outcomes[sentRequest.call.operation] ??= {}), statusOf(answer))
  }
  const sendAll = async (requests: Iterable<FuzzRequest | WireRequest>, atATime: number) =>
    await runConcurrently(requests, atATime, (request) =>
      send(request).catch((error: unknown) => void violations.push(describe(request, String(error)))),
    )
  await sendAll(listValid(subject), validConcurrency)
  await sendAll(generate(subject), concurrency)
  return { sent, statuses, outcomes, violations }
}

type Subject = {
  readonly url: string
  readonly validCalls: readonly ValidCall[]
  /** The headers with a valid API key and the admin key. */
  readonly keys: Headers
  /** Strings that no response may contain. */
  readonly secrets: readonly string[]
  readonly seed: number
  /** Number of random requests of each kind, a multiple of 50. */
  readonly counts: Readonly<Record<string, number>>
}

function listValid({ validCalls, keys }: Subject): readonly FuzzRequest[] {
  return validCalls.map((call) => ({ ...toRequest(call, keys), kind: 'valid', call }))
}

function* generate({ validCalls, keys, seed, counts }: Subject): Generator<FuzzRequest | WireRequest> {
  const random: Readonly<Record<string, fc.Arbitrary<FuzzRequest | WireRequest>>> = arbitraryRequests(validCalls, keys)
  const kinds = Object.entries({ ...random, wire: arbitraryWire(validCalls, keys) })
  for (let lot = 0; lot < lots; lot += 1) {
    for (const [kind, arbitrary] of kinds) {
      yield* fc.sample(arbitrary, { seed: seed + lot, numRuns: (counts[kind] ?? 0) / lots })
    }
  }
}

/**
 * Sends a request until its node has answered. The service limits the time of a node by the clock: a machine that stands still
 * exceeds it, and the client repeats the request, as the response says.
 */
async function sendUntilRead(url: string, request: FuzzRequest): Promise<FuzzResponse | undefined> {
  let answer: FuzzResponse | undefined
  const isRead = async () => {
    answer = await sendRequest(url, request)
    return !/"(error|message)":"svc\/upstream-(timeout|unavailable): Cannot /.test(answer?.text ?? '')
  }
  await vi.waitUntil(isRead, eventually)
  return answer
}

function statusOf({ status, text }: FuzzResponse): string {
  return /"httpStatus":(\d+)/.exec(text)?.[1] ?? String(status)
}

function count(counts: Record<string, number>, name: string | number): void {
  counts[name] = (counts[name] ?? 0) + 1
}

function describe(request: FuzzRequest | WireRequest, violation: string, answer?: FuzzResponse): string {
  const text = 'bytes' in request ? request.bytes : encodeRequest(request)
  return [violation, shorten(text.toString('latin1')), answer && shorten(JSON.stringify(answer))].join('\n')
}

function shorten(text: string): string {
  const short = text.replaceAll(/(.{1,20}?)\1{10,}/gs, '$1…')
  return short.length > 1500 ? `${short.slice(0, 1500)}…` : short
}

/** Runs work for all items with limited concurrency. */
async function runConcurrently<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  const runOne = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: concurrency }, runOne))
}

// With these headers a server may wait for more data.
const framing = new Set(['content-length', 'transfer-encoding', 'expect', 'upgrade'])

/**
 * Sends a request on a connection of its own, which no server closes while it is idle, and returns the response.
 *
 * @returns undefined if there is no response, and the request does not require one
 * @throws `Error` if a required response is missing
 */
async function sendRequest(url: string, request: FuzzRequest): Promise<FuzzResponse | undefined> {
  const { method, headers } = request
  const ending = headers.some(([name]) => framing.has(name.toLowerCase())) ? 'end' : 'wait'
  const bytes = encodeRequest({ ...request, headers: [...headers, ['Connection', 'close']] })
  const [answer] = await sendBytes(url, { bytes, ending, methods: [method] })
  if (!answer && ending === 'wait' && method !== 'CONNECT') throw new Error('it has no response')
  return answer
}

/**
 * Writes bytes to a new connection, and reads until the server closes it or has responded.
 *
 * @returns the responses, which may be none if the server closed the connection
 * @throws `Error` if the server neither responds nor closes
 */
async function sendBytes(url: string, request: SentBytes): Promise<readonly FuzzResponse[]> {
  const { bytes, ending, methods = [] } = request
  const { hostname, port } = new URL(url)
  const received: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: ending === 'end' })
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`Cannot read a response: none within ${eventually.timeout} ms`))
    }, eventually.timeout)
    const end = () => {
      clearTimeout(late)
      socket.destroy()
      resolve()
    }
    socket.on('data', (chunk) => {
      received.push(chunk)
      if (ending === 'wait' && parseResponses(Buffer.concat(received), methods).length > 0) end()
    })
    // The server may reset a connection whose request it rejects early.
    socket.on('error', end).on('end', end).on('close', end)
    socket.write(bytes, () => {
      if (ending === 'end') socket.end()
      if (ending === 'break') end()
    })
  })
  return parseResponses(Buffer.concat(received), methods)
}

type SentBytes = Pick<WireRequest, 'bytes' | 'ending'> & {
  /** The methods of the requests, if they are known. */
  readonly methods?: readonly string[]
}

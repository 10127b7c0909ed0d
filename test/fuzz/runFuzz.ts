import fc from 'fast-check'
import { Client } from 'undici'
import type { Answer } from './Answer.ts'
import { arbitraryRequests } from './arbitraryRequests.ts'
import { arbitraryWire } from './arbitraryWire.ts'
import type { Base } from './Base.ts'
import { encodeRequest } from './encodeRequest.ts'
import type { FuzzRequest, Headers, Kind, WireRequest } from './FuzzRequest.ts'
import { judgeAnswer } from './judgeAnswer.ts'
import { runConcurrently } from './runConcurrently.ts'
import { sendRaw } from './sendRaw.ts'
import { sendRequest } from './sendRequest.ts'

const concurrency = 50
// Few enough at a time to be kept in memory.
const lots = 50

/** Sends random requests of each kind to a service, and judges every answer. */
export async function runFuzz(subject: runFuzz.Subject): Promise<runFuzz.Report> {
  const { url, secrets } = subject
  const [sent, statuses, wrongs]: [Record<string, number>, Record<string, number>, string[]] = [{}, {}, []]
  const clients = Array.from({ length: concurrency }, () => new Client(url))

  async function send(request: FuzzRequest | WireRequest) {
    count(sent, request.kind)
    if ('bytes' in request) {
      const answers = await sendRaw(url, { ...request, methods: [], expected: 1 })
      for (const answer of answers) look(request, answer, undefined)
      return
    }
    // One of its own for each request under way: a pool gives up those that have refused to send one.
    const client = clients.pop()
    if (!client) throw new Error('Cannot send a request: no client is free')
    const { answers, isRaw, isAnswered } = await sendRequest(client, url, request).finally(() => clients.push(client))
    if (isRaw) count(sent, 'over a bare connection')
    if (!isAnswered) wrongs.push(describe(request, 'it is not answered'))
    for (const answer of answers) look(request, answer, request)
  }
  function look(request: FuzzRequest | WireRequest, answer: Answer, asked: judgeAnswer.Asked | undefined) {
    count(statuses, answer.headers['x-request-id'] === undefined ? 'bare' : answer.status)
    const wrong = judgeAnswer(answer, asked, secrets)
    if (wrong !== undefined) wrongs.push(describe(request, wrong, answer))
  }
  await runConcurrently(generate(subject), concurrency, (request) =>
    send(request).catch((error: unknown) => void wrongs.push(describe(request, String(error)))),
  )
  await Promise.all(clients.map((client) => client.close()))
  return { sent, statuses, wrongs }
}

export declare namespace runFuzz {
  type Subject = {
    readonly url: string
    readonly bases: readonly Base[]
    /** The headers that open everything. */
    readonly keys: Headers
    /** What no answer may hold. */
    readonly secrets: readonly string[]
    readonly seed: number
    /** How many requests of each kind are sent: multiples of 50. */
    readonly counts: Readonly<Record<Kind | 'wire', number>>
  }
  type Report = {
    /** How many requests were sent, by kind, and how many of all not by an HTTP client. */
    readonly sent: Readonly<Record<string, number>>
    /** How many answers there were, by status; `bare` for those that the service did not give. */
    readonly statuses: Readonly<Record<string, number>>
    /** What was wrong, in words. */
    readonly wrongs: readonly string[]
  }
}

function* generate({ bases, keys, seed, counts }: runFuzz.Subject): Generator<FuzzRequest | WireRequest> {
  const kinds = { ...arbitraryRequests(bases, keys), wire: arbitraryWire(bases, keys) }
  for (let lot = 0; lot < lots; lot += 1) {
    for (const [kind, arbitrary] of Object.entries(kinds) as [Kind, fc.Arbitrary<FuzzRequest | WireRequest>][]) {
      yield* fc.sample(arbitrary, { seed: seed + lot, numRuns: counts[kind] / lots })
    }
  }
}

function count(counts: Record<string, number>, name: string | number): void {
  counts[name] = (counts[name] ?? 0) + 1
}

function describe(request: FuzzRequest | WireRequest, wrong: string, answer?: Answer): string {
  const text = 'bytes' in request ? request.bytes : encodeRequest(request)
  return [wrong, shorten(text.toString('latin1')), answer && shorten(JSON.stringify(answer))].join('\n')
}

function shorten(text: string): string {
  const short = text.replaceAll(/(.{1,20}?)\1{10,}/gs, '$1…')
  return short.length > 1500 ? `${short.slice(0, 1500)}…` : short
}

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { toKeyHeaders, type createCaller } from '../client/createCaller.ts'
import { wait, withSignal } from '../client/withSignal.ts'
import { toEndpoint, parseJson, toPost, toRequestError, toResponseError } from '../client/requestService.ts'
import { isAgioError, type AnyAgioError, isServiceFailure, toAgioError, type AgioError } from '../errors/AgioError.ts'
import { keyOf, type StreamHandlers, type StreamSource, type StreamTopic, type StreamData } from './StreamTopic.ts'
import { maxBytes, readPieces, readText, tooLarge } from '../client/readText.ts'
import { isObject } from '../errors/isObject.ts'

// The limit of the service.
const maxTopics = 20
// Collects topic changes, so that a connection is reopened only once.
const settleMs = 20
const [minDelayMs, maxDelayMs] = [500, 30_000]
// Longest delay that the service can set. A timer of more than 24 days fires at once.
const maxServiceDelayMs = 300_000

/**
 * A source with one connection for each twenty topics. It reopens a connection that is cut. With the id of the last
 * event, the stream then sends the missed transitions.
 */
export class Connections implements StreamSource {
  readonly #url: string
  readonly #options: Connections.Options
  readonly #handlers: StreamHandlers
  #wanted: readonly StreamTopic[] = []
  #open: readonly Connection[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: Connections.Options, handlers: StreamHandlers) {
    this.#url = `${toEndpoint(options)}/stream.watch`
    this.#options = options
    this.#handlers = handlers
  }

  setTopics(topics: readonly StreamTopic[]): void {
    // Reuses the objects of open connections for equal topics, so that their connections stay open.
    const openTopics = new Map(
      this.#open.flatMap((connection) => connection.topics).map((topic) => [keyOf(topic), topic]),
    )
    this.#wanted = topics.map((topic) => openTopics.get(keyOf(topic)) ?? topic)
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#settle(), settleMs)
  }

  /** Closes and opens connections until they have the wanted topics. */
  #settle(): void {
    this.#timer = undefined
    const { unchanged, opening } = planConnections(this.#open, this.#wanted)
    for (const connection of this.#open) if (!unchanged.includes(connection)) connection.controller.abort()
    this.#open = [...unchanged, ...opening.map((planned) => this.#connect(planned))]
  }

  #connect({ topics, lastEventId = this.#options.findLastEventId?.() }: PlannedConnection): Connection {
    const connection: Connection = { topics, controller: new AbortController(), lastEventId }
    void this.#keepOpen(connection)
    return connection
  }

  /** Reads a connection and reopens it with growing delays, until it is aborted or its topics have ended. */
  async #keepOpen(connection: Connection): Promise<void> {
    const { signal } = connection.controller
    for (let failures = 0; !signal.aborted; failures += 1) {
      let delayMs = minDelayMs
      try {
        await this.#read(connection, () => {
          failures = 0
        })
      } catch (error) {
        if (signal.aborted) return
        const { topics } = connection
        const isUnknownId = connection.lastEventId !== undefined && findField(error) === 'Last-Event-ID'
        // Another version of the service does not know the id, and can only send the current state.
        if (isUnknownId) connection.lastEventId = undefined
        else if (!isAgioError(error) || !error.retryable) {
          return this.#handlers.onEnd(error as Error, findRefused(error, topics))
        } else {
          this.#handlers.onInterrupt(error, topics)
          delayMs = toDelayMs(error, failures)
        }
      }
      // The random delay keeps clients from all returning at once after a process of the service has ended.
      await wait(Math.min(delayMs * (1 + Math.random()), maxServiceDelayMs), signal).catch(() => {})
    }
  }

  async #read(connection: Connection, onMessage: () => void): Promise<void> {
    const { topics, lastEventId } = connection
    const { signal } = connection.controller
    await readStream(this.#url, {
      fetch: this.#options.fetch ?? globalThis.fetch,
      headers: await toKeyHeaders(this.#options.key),
      body: JSON.stringify({ topics, ...(lastEventId !== undefined && { lastEventId }) }),
      signal,
      onMessage: ({ id, data }) => {
        onMessage()
        if (signal.aborted) return
        if (id !== '') connection.lastEventId = id
        const topic = 'index' in data ? topics[data.index] : undefined
        if (topic) this.#handlers.onEvent({ topic, data, id })
      },
    })
  }
}

export declare namespace Connections {
  type Options = Pick<createCaller.Options, 'url' | 'allowInsecure' | 'fetch' | 'key'> & {
    /** Returns the id of the last event that another source received. Default: no id. */
    readonly findLastEventId?: (() => string | undefined) | undefined
  }
}

type PlannedConnection = Pick<Connection, 'topics' | 'lastEventId'>

type Plan = { readonly unchanged: readonly Connection[]; readonly opening: readonly PlannedConnection[] }

/** Returns the open connections that stay unchanged, and the connections to open after all others are closed. */
function planConnections(open: readonly Connection[], wanted: readonly StreamTopic[]): Plan {
  const kept = open.filter(({ topics }) => topics.every((topic) => wanted.includes(topic)))
  const reduced = open
    .filter((connection) => !kept.includes(connection))
    .map(({ topics, lastEventId }) => ({ topics: topics.filter((topic) => wanted.includes(topic)), lastEventId }))
    .filter(({ topics }) => topics.length > 0)
  const added = wanted.filter((topic) => !open.some(({ topics }) => topics.includes(topic)))
  // A connection with room takes the new topics and is reopened for them. With its last event id, its own topics miss
  // nothing.
  const extended = added.length > 0 ? [...reduced, ...kept].find(({ topics }) => topics.length < maxTopics) : undefined
  const taken = extended ? added.slice(0, maxTopics - extended.topics.length) : []
  return {
    unchanged: kept.filter((connection) => connection !== extended),
    opening: [
      ...reduced.filter((connection) => connection !== extended),
      ...(extended ? [{ topics: [...extended.topics, ...taken], lastEventId: extended.lastEventId }] : []),
      ...chunk(added.slice(taken.length)).map((topics) => ({ topics, lastEventId: undefined })),
    ],
  }
}

type Connection = {
  readonly topics: readonly StreamTopic[]
  readonly controller: AbortController
  lastEventId: string | undefined
}

/** Returns the topic that an error names, or all topics. The remaining topics are reopened without it. */
function findRefused(error: unknown, topics: readonly StreamTopic[]): readonly StreamTopic[] {
  const at = /^topics\.(\d+)/.exec(findField(error) ?? '')?.[1]
  const refused = at === undefined ? undefined : topics[Number(at)]
  return refused ? [refused] : topics
}

function findField(error: unknown): string | undefined {
  const field: unknown = isAgioError(error) && 'field' in error.details && error.details.field
  return typeof field === 'string' ? field : undefined
}

function toDelayMs({ retryAfterSeconds = 0 }: AnyAgioError, failures: number): number {
  return Math.max(retryAfterSeconds * 1000, Math.min(minDelayMs * 2 ** failures, maxDelayMs))
}

function chunk(topics: readonly StreamTopic[]): readonly (readonly StreamTopic[])[] {
  const count = Math.ceil(topics.length / maxTopics)
  return Array.from({ length: count }, (_, at) => topics.slice(at * maxTopics, (at + 1) * maxTopics))
}

// The service sends a heartbeat every 15 seconds.
const silenceMs = 40_000

/**
 * Reads one connection of a stream until it ends.
 *
 * @throws the error of the service, `network/unreachable`, `network/invalid-response`
 */
export async function readStream(url: string, { fetch, headers, body, signal, onMessage }: Options): Promise<void> {
  try {
    await withSignal(signal, async (own, limit) => {
      limit(silenceMs)
      const response = await fetch(url, { ...toPost(headers), body, signal: own })
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
      if (!response.ok || !isStream || !response.body)
        throw toResponseError(url, response, parseJson(await readText(response, { url, limit })))
      let failure: AgioError | undefined
      let bytes = 0
      const parser = createParser({
        onEvent(message) {
          bytes = 0
          if (message.event === 'serialized-error') failure ??= toFailure(message)
          else if (message.event === undefined) onMessage({ id: message.id ?? '', data: parseData(message) })
        },
        onComment: () => (bytes = 0),
      })
      const count = (more: number) => {
        bytes += more
        if (bytes > maxBytes) throw tooLarge(url, maxBytes)
        limit(silenceMs)
      }
      for await (const piece of readPieces(response.body, count)) {
        parser.feed(piece)
        if (failure) throw failure
      }
    })
  } catch (cause) {
    throw toRequestError(url, cause)
  }
}

type Options = {
  readonly fetch: typeof globalThis.fetch
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
  readonly onMessage: (message: { readonly id: string; readonly data: StreamData }) => void
}

/** @throws TypeError for a text that is not a JSON object, so that the stream is opened again */
function parseData({ data }: EventSourceMessage): StreamData {
  const value = parseJson(data)
  if (isObject(value)) return value as StreamData
  throw new TypeError('An event of the stream is not a JSON object')
}

function toFailure({ data }: EventSourceMessage): AgioError | undefined {
  const failure = parseJson(data)
  return isServiceFailure(failure) ? toAgioError(failure) : undefined
}

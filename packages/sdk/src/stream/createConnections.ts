import { toKeyHeaders, type createCaller } from '../client/createCaller.ts'
import { wait } from '../client/withSignal.ts'
import { toEndpoint } from '../client/requestService.ts'
import { isAgioError, type AnyAgioError } from '../errors/AgioError.ts'
import { readStream } from './readStream.ts'
import { keyOf, type StreamHandlers, type StreamSource, type StreamTopic } from './StreamTopic.ts'

// The limit of the service.
const maxTopics = 20
// Collects topic changes, so that a connection is reopened only once.
const settleMs = 20
const [minDelayMs, maxDelayMs] = [500, 30_000]

/**
 * Creates a source with one connection for each twenty topics. It reopens a connection that is cut. With the id of the
 * last event, the stream then sends the missed transitions.
 */
export function createConnections(settings: createConnections.Settings, handlers: StreamHandlers): StreamSource {
  const url = `${toEndpoint(settings.url)}/stream.watch`
  let wanted: readonly StreamTopic[] = []
  let open: readonly Connection[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function settle(): void {
    timer = undefined
    const kept = open.filter(({ topics }) => topics.every((topic) => wanted.includes(topic)))
    const reopened = open.flatMap((connection) => {
      if (kept.includes(connection)) return []
      const topics = connection.topics.filter((topic) => wanted.includes(topic))
      return topics.length > 0 ? [{ topics, lastEventId: connection.lastEventId }] : []
    })
    const fresh = wanted.filter((topic) => !open.some(({ topics }) => topics.includes(topic)))
    // A connection with room takes the new topics and is reopened for them. With its last event id, its own topics miss
    // nothing.
    const roomy = fresh.length > 0 ? [...reopened, ...kept].find(({ topics }) => topics.length < maxTopics) : undefined
    const taken = roomy ? fresh.slice(0, maxTopics - roomy.topics.length) : []
    const others = fresh.slice(taken.length)
    const staying = kept.filter((connection) => connection !== roomy)
    for (const connection of open) if (!staying.includes(connection)) connection.controller.abort()
    open = [
      ...staying,
      ...reopened
        .filter((connection) => connection !== roomy)
        .map(({ topics, lastEventId }) => connect(topics, lastEventId)),
      ...(roomy ? [connect([...roomy.topics, ...taken], roomy.lastEventId)] : []),
      ...chunk(others).map((topics) => connect(topics, undefined)),
    ]
  }
  function connect(topics: readonly StreamTopic[], lastEventId: string | undefined): Connection {
    const resumed = lastEventId ?? settings.getLastEventId?.()
    const connection: Connection = { topics, controller: new AbortController(), lastEventId: resumed }
    void keepOpen(connection)
    return connection
  }
  async function keepOpen(connection: Connection): Promise<void> {
    const { topics, controller } = connection
    const { signal } = controller
    for (let failures = 0; !signal.aborted; failures += 1) {
      let delayMs = minDelayMs
      try {
        const { lastEventId } = connection
        await readStream(url, {
          fetch: settings.fetch ?? globalThis.fetch,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(await toKeyHeaders(settings.key)) },
          body: JSON.stringify({ topics, ...(lastEventId !== undefined && { lastEventId }) }),
          signal,
          onMessage({ id, data }) {
            failures = 0
            if (signal.aborted) return
            if (id !== '') connection.lastEventId = id
            const topic = 'index' in data ? topics[data.index] : undefined
            if (topic) handlers.onEvent({ topic, data, id })
          },
        })
      } catch (error) {
        if (signal.aborted) return
        if (connection.lastEventId !== undefined && isOfLastEventId(error)) {
          // Another version of the service does not know the id, and can only send the current state.
          connection.lastEventId = undefined
          continue
        }
        if (!isAgioError(error) || !error.retryable) return handlers.onEnd(error as Error, findRefused(error, topics))
        handlers.onInterrupt(error, topics)
        delayMs = toDelayMs(error, failures)
      }
      // The random delay keeps clients from all returning at once after a process of the service has ended.
      await wait(delayMs * (1 + Math.random()), signal).catch(() => {})
    }
  }
  return {
    setTopics(topics) {
      // Reuses the objects of open connections for equal topics, so that their connections stay open.
      const known = new Map(open.flatMap((connection) => connection.topics).map((topic) => [keyOf(topic), topic]))
      wanted = topics.map((topic) => known.get(keyOf(topic)) ?? topic)
      timer ??= setTimeout(settle, settleMs)
    },
  }
}

export declare namespace createConnections {
  type Settings = Pick<createCaller.Settings, 'url' | 'fetch' | 'key'> & {
    /** Returns the id of the last event that another source received. Default: no id. */
    readonly getLastEventId?: (() => string | undefined) | undefined
  }
}

type Connection = {
  readonly topics: readonly StreamTopic[]
  readonly controller: AbortController
  lastEventId: string | undefined
}

/** Returns the topic that an error names, or all topics. The remaining topics are reopened without it. */
function findRefused(error: unknown, topics: readonly StreamTopic[]): readonly StreamTopic[] {
  const field = isAgioError(error) && 'field' in error.details ? String(error.details.field) : ''
  const at = /^topics\.(\d+)/.exec(field)?.[1]
  const refused = at === undefined ? undefined : topics[Number(at)]
  return refused ? [refused] : topics
}

function isOfLastEventId(error: unknown): boolean {
  return isAgioError(error) && 'field' in error.details && error.details.field === 'Last-Event-ID'
}

function toDelayMs({ retryAfterSeconds = 0 }: AnyAgioError, failures: number): number {
  return Math.max(retryAfterSeconds * 1000, Math.min(minDelayMs * 2 ** failures, maxDelayMs))
}

function chunk(topics: readonly StreamTopic[]): readonly (readonly StreamTopic[])[] {
  const count = Math.ceil(topics.length / maxTopics)
  return Array.from({ length: count }, (_, at) => topics.slice(at * maxTopics, (at + 1) * maxTopics))
}

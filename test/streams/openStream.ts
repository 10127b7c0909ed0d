import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { vi } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'

/** Opens `GET /api/v1/stream`, and collects its events. */
export async function openStream(
  url: string,
  { topics, apiKey, lastEventId }: openStream.Options,
): Promise<OpenStream> {
  const closing = new AbortController()
  const headers = { 'x-api-key': apiKey, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) }
  const target = `${url}/api/v1/stream?topics=${encodeURIComponent(JSON.stringify(topics))}`
  const response = await fetch(target, { headers, signal: closing.signal })
  const events: ReceivedEvent[] = []
  let retryMs: number | undefined
  let isEnded = false
  const parser = createParser({
    onEvent: (message) => events.push(toReceived(message)),
    onRetry: (ms) => (retryMs = ms),
  })
  const reading = read()
  async function read(): Promise<void> {
    try {
      const decoder = new TextDecoder()
      for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }))
    } catch {
      // Closed here, or cut off.
    }
    isEnded = true
  }
  const waitFor: OpenStream['waitFor'] = async (isMatch) => {
    await vi.waitUntil(() => events.some(isMatch) || isEnded, eventually)
    const found = events.find(isMatch)
    if (!found) throw new Error(`The stream ended without the event: ${JSON.stringify(events)}`)
    return found
  }
  async function close(): Promise<void> {
    closing.abort()
    await reading
  }
  return {
    response,
    events,
    waitFor,
    waitForTopic: (topic) => waitFor((event) => event.topic === topic),
    isEnded: () => isEnded,
    getRetryMs: () => retryMs,
    close,
    [Symbol.asyncDispose]: close,
  }
}

export declare namespace openStream {
  type Options = {
    readonly topics: unknown
    readonly apiKey: string
    readonly lastEventId?: string | undefined
  }
}

type ReceivedEvent = {
  readonly id: string
  readonly topic: string
  readonly data: Readonly<Record<string, unknown>>
}

export type OpenStream = AsyncDisposable & {
  readonly response: Response
  /** The events so far. */
  readonly events: readonly ReceivedEvent[]
  /** Waits for an event, including one that has already arrived. */
  waitFor(isMatch: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>
  /** Waits for the first event of a topic. */
  waitForTopic(topic: string): Promise<ReceivedEvent>
  isEnded(): boolean
  /** The delay before a reconnection that the service has sent; undefined before it has sent one. */
  getRetryMs(): number | undefined
  close(): Promise<void>
}

function toReceived({ id = '', event = '', data }: EventSourceMessage): ReceivedEvent {
  return { id, topic: event, data: JSON.parse(data) as ReceivedEvent['data'] }
}

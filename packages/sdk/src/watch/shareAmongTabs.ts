import { AgioError, isAgioError, type AgioErrorCode } from '../errors/AgioError.ts'
import { keyOf, type StreamHandlers, type StreamSource, type StreamTopic, type TopicEvent } from './StreamTopic.ts'

/**
 * Shares one source among all tabs of a browser that watch the same service with the same key. The tab that holds a lock has the
 * source, watches what any of them wants, and passes on what it gets. If it closes, another one gets the lock and continues by the
 * id of the last event.
 *
 * @param name of what is shared: equal for tabs that may share
 * @param createSource creates the source of the tab that has the lock
 */
export function shareAmongTabs(
  name: string,
  handlers: StreamHandlers,
  createSource: (handlers: StreamHandlers, getLastEventId: () => string | undefined) => StreamSource,
): StreamSource {
  const channel = new BroadcastChannel(name)
  const tab = crypto.randomUUID()
  const newest = new Map<string, TopicEvent>()
  let own: readonly StreamTopic[] = []
  let lastEventId: string | undefined
  let lead: Lead | undefined
  let leaving: (() => void) | undefined
  let hasLeft = false

  const post = (message: Message) => {
    // oxlint-disable-next-line require-post-message-target-origin -- a channel has no other origin
    if (!hasLeft) channel.postMessage(message)
  }
  /** Returns those of the topics that this tab watches, as it named them. */
  const findOwn = (topics: readonly StreamTopic[]) => {
    const keys = new Set(topics.map(keyOf))
    return own.filter((wanted) => keys.has(keyOf(wanted)))
  }

  function receive(event: TopicEvent): void {
    newest.set(keyOf(event.topic), event)
    if (event.id !== '') lastEventId = event.id
    for (const topic of findOwn([event.topic])) handlers.onEvent({ ...event, topic })
  }
  /** Passes on what the source of this tab gets. */
  const leadHandlers: StreamHandlers = {
    onEvent(event) {
      post({ kind: 'event', event })
      receive(event)
    },
    onInterrupt(error, topics) {
      post({ kind: 'interrupt', error: toPlain(error), topics })
      handlers.onInterrupt(error, findOwn(topics))
    },
    onEnd(error, topics) {
      if (isAgioError(error)) post({ kind: 'end', error: toPlain(error), topics })
      handlers.onEnd(error, findOwn(topics))
    },
  }
  function startLead(): Lead {
    const source = createSource(leadHandlers, () => lastEventId)
    const wanted = new Map<string, readonly StreamTopic[]>([[tab, own]])
    let watched = new Map<string, StreamTopic>()
    const update = () => {
      const topics = [...wanted.values()].flat()
      // The source knows topics by their objects: those of messages are others each time.
      watched = new Map(topics.map((topic) => [keyOf(topic), watched.get(keyOf(topic)) ?? topic]))
      // What has no watch any more grows old.
      for (const key of newest.keys()) if (!watched.has(key)) newest.delete(key)
      source.setTopics([...watched.values()])
    }
    // The source begins with the present state of all.
    newest.clear()
    post({ kind: 'lead' })
    update()
    return {
      want(from, topics) {
        const isNew = !wanted.has(from)
        const before = new Set(wanted.get(from)?.map(keyOf))
        wanted.set(from, topics)
        update()
        for (const topic of topics) {
          const event = newest.get(keyOf(topic))
          if (!event || before.has(keyOf(topic))) continue
          if (from === tab) handlers.onEvent({ ...event, topic })
          else post({ kind: 'event', event })
        }
        // A tab holds a lock of its own: it is free once the tab has gone.
        if (isNew) {
          void navigator.locks.request(`${name} ${from}`, () => {
            wanted.delete(from)
            update()
          })
        }
      },
      stop: () => source.setTopics([]),
    }
  }
  channel.addEventListener('message', (message: object) => {
    const { data } = message as { readonly data: Message }
    if (data.kind === 'event') receive(data.event)
    else if (data.kind === 'lead') announce()
    else if (data.kind === 'want') lead?.want(data.tab, data.topics)
    else if (data.kind === 'interrupt') handlers.onInterrupt(fromPlain(data.error), findOwn(data.topics))
    else handlers.onEnd(fromPlain(data.error), findOwn(data.topics))
  })
  function announce(): void {
    if (own.length > 0) post({ kind: 'want', tab, topics: own })
  }
  function join(): void {
    leaving = () => {}
    const left = new Promise<void>((resolve) => (leaving = resolve))
    void navigator.locks.request(`${name} ${tab}`, () => left)
    void navigator.locks.request(name, async () => {
      if (own.length === 0) return
      lead = startLead()
      await left
      lead.stop()
      lead = undefined
    })
  }
  return {
    setTopics(topics) {
      own = topics
      if (topics.length === 0) {
        leaving?.()
        leaving = undefined
        // Another source takes the place of this one.
        hasLeft = true
        channel.close()
        return
      }
      if (!leaving) join()
      if (lead) lead.want(tab, topics)
      else announce()
    },
  }
}

/** Whether the code runs in a page whose browser lets tabs share. */
export function canShareAmongTabs(): boolean {
  const { document, BroadcastChannel: Channel, navigator: browser, isSecureContext } = globalThis as Page
  return isSecureContext === true && [document, Channel, browser?.locks].every((part) => part !== undefined)
}

type Page = {
  readonly document?: object
  readonly BroadcastChannel?: object
  readonly navigator?: { readonly locks?: object }
  readonly isSecureContext?: boolean
}

/** The tab that has the source. */
type Lead = {
  /** Takes what a tab watches from now on. */
  want(tab: string, topics: readonly StreamTopic[]): void
  stop(): void
}

type Message =
  | { readonly kind: 'event'; readonly event: TopicEvent }
  /** The sender has the source: all others tell it what they watch. */
  | { readonly kind: 'lead' }
  | { readonly kind: 'want'; readonly tab: string; readonly topics: readonly StreamTopic[] }
  | { readonly kind: 'interrupt' | 'end'; readonly error: PlainError; readonly topics: readonly StreamTopic[] }

/** An error as a message can have it. */
type PlainError = AgioError.Fields<AgioErrorCode> & { readonly code: AgioErrorCode; readonly message: string }

function toPlain(error: AgioError): PlainError {
  const { code, message, details, retryable, action, requestId, status, retryAfterSeconds } = error
  return { code, message, details, retryable, action, requestId, status, retryAfterSeconds }
}

function fromPlain({ code, message, ...fields }: PlainError): AgioError {
  return new AgioError(code, message, fields)
}

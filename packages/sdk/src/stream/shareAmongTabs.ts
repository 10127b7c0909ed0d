import { AgioError, isAgioError, type AgioErrorCode } from '../errors/AgioError.ts'
import { keyOf, type StreamHandlers, type StreamSource, type StreamTopic, type TopicEvent } from './StreamTopic.ts'

/**
 * Shares one source among all browser tabs that watch the same service with the same key. The tab that holds a lock has
 * the source, watches the topics of all tabs, and forwards the events. If the tab closes, another tab gets the lock and
 * continues from the id of the last event.
 *
 * @param name name of the shared source, equal for tabs that may share it
 *
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
  /** Returns the given topics that this tab watches, as its own objects. */
  const findOwn = (topics: readonly StreamTopic[]) => {
    const keys = new Set(topics.map(keyOf))
    return own.filter((wanted) => keys.has(keyOf(wanted)))
  }

  function receive(event: TopicEvent): void {
    newest.set(keyOf(event.topic), event)
    if (event.id !== '') lastEventId = event.id
    for (const topic of findOwn([event.topic])) handlers.onEvent({ ...event, topic })
  }
  /** Forwards the events of this tab's source. */
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
      // The source compares topics by identity, and each message creates new objects.
      watched = new Map(topics.map((topic) => [keyOf(topic), watched.get(keyOf(topic)) ?? topic]))
      // The state of a topic without a watch becomes outdated.
      for (const key of newest.keys()) if (!watched.has(key)) newest.delete(key)
      source.setTopics([...watched.values()])
    }
    // The source starts with the current state of all topics.
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
        // Each tab holds its own lock, which is released when the tab is gone.
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
        // Another source replaces this one.
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

/** Returns whether the code runs in a page whose browser supports sharing among tabs. */
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
  /** Replaces the topics of a tab. */
  want(tab: string, topics: readonly StreamTopic[]): void
  stop(): void
}

type Message =
  | { readonly kind: 'event'; readonly event: TopicEvent }
  /** The sender has the source. All other tabs send it their topics. */
  | { readonly kind: 'lead' }
  | { readonly kind: 'want'; readonly tab: string; readonly topics: readonly StreamTopic[] }
  | { readonly kind: 'interrupt' | 'end'; readonly error: PlainError; readonly topics: readonly StreamTopic[] }

/** An error in the form of a message. */
type PlainError = AgioError.Fields<AgioErrorCode> & { readonly code: AgioErrorCode; readonly message: string }

function toPlain(error: AgioError): PlainError {
  const { code, message, details, retryable, action, requestId, status, retryAfterSeconds } = error
  return { code, message, details, retryable, action, requestId, status, retryAfterSeconds }
}

function fromPlain({ code, message, ...fields }: PlainError): AgioError {
  return new AgioError(code, message, fields)
}

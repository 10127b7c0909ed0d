import { AgioError, isAgioError, type AgioErrorCode } from '../errors/AgioError.ts'
import { keyOf, type StreamHandlers, type StreamSource, type StreamTopic, type TopicEvent } from './StreamTopic.ts'

/**
 * A source that browser tabs with the same service and key share. The tab that holds a lock has the actual source,
 * watches the topics of all tabs, and forwards the events. If the tab closes, another tab gets the
 * lock and continues from the id of the last event.
 */
export class SharedSource implements StreamSource {
  readonly #name: string
  readonly #handlers: StreamHandlers
  readonly #createSource: CreateSource
  readonly #channel: InstanceType<typeof BroadcastChannel>
  readonly #tab = crypto.randomUUID()
  /** The newest event of each topic, by its key. */
  readonly #newest = new Map<string, TopicEvent>()
  #topics: readonly StreamTopic[] = []
  #lastEventId: string | undefined
  #leader: Leader | undefined
  /** Releases the locks of this tab. Undefined until the tab has requested them. */
  #leave: (() => void) | undefined
  #hasLeft = false

  /**
   * @param name name of the shared source, equal for tabs that may share it
   *
   * @param createSource creates the source of the tab that has the lock
   */
  constructor(name: string, handlers: StreamHandlers, createSource: CreateSource) {
    this.#name = name
    this.#handlers = handlers
    this.#createSource = createSource
    this.#channel = new BroadcastChannel(name)
    this.#channel.addEventListener('message', (message: object) =>
      this.#onMessage((message as { readonly data: Message }).data),
    )
  }

  setTopics(topics: readonly StreamTopic[]): void {
    this.#topics = topics
    if (topics.length === 0) {
      this.#leave?.()
      this.#leave = undefined
      // Another source replaces this one.
      this.#hasLeft = true
      this.#channel.close()
      return
    }
    if (!this.#leave) this.#join()
    if (this.#leader) this.#leader.setTopics(this.#tab, topics)
    else this.#announce()
  }

  #join(): void {
    this.#leave = () => {}
    const left = new Promise<void>((resolve) => (this.#leave = resolve))
    void navigator.locks.request(`${this.#name} ${this.#tab}`, () => left)
    void navigator.locks.request(this.#name, async () => {
      if (this.#topics.length === 0) return
      this.#leader = this.#lead()
      await left
      this.#leader.stop()
      this.#leader = undefined
    })
  }

  #lead(): Leader {
    const source = this.#createSource(this.#toForwardingHandlers(), () => this.#lastEventId)
    // The source starts with the current state of all topics.
    this.#newest.clear()
    this.#post({ kind: 'lead' })
    return new Leader(source, {
      name: this.#name,
      tab: this.#tab,
      topics: this.#topics,
      newest: this.#newest,
      send: (tab, topic, event) => {
        if (tab === this.#tab) this.#handlers.onEvent({ ...event, topic })
        else this.#post({ kind: 'event', event })
      },
    })
  }

  /** Returns handlers that pass the events of this tab's source to all tabs. */
  #toForwardingHandlers(): StreamHandlers {
    return {
      onEvent: (event) => {
        this.#post({ kind: 'event', event })
        this.#receive(event)
      },
      onInterrupt: (error, topics) => {
        this.#post({ kind: 'interrupt', error: toPlain(error), topics })
        this.#handlers.onInterrupt(error, this.#findWatched(topics))
      },
      onEnd: (error, topics) => {
        if (isAgioError(error)) this.#post({ kind: 'end', error: toPlain(error), topics })
        this.#handlers.onEnd(error, this.#findWatched(topics))
      },
    }
  }

  #onMessage(message: Message): void {
    switch (message.kind) {
      case 'event':
        return this.#receive(message.event)
      case 'lead':
        return this.#announce()
      case 'want':
        return this.#leader?.setTopics(message.tab, message.topics)
      case 'interrupt':
        return this.#handlers.onInterrupt(fromPlain(message.error), this.#findWatched(message.topics))
      case 'end':
        return this.#handlers.onEnd(fromPlain(message.error), this.#findWatched(message.topics))
    }
  }

  #receive(event: TopicEvent): void {
    this.#newest.set(keyOf(event.topic), event)
    if (event.id !== '') this.#lastEventId = event.id
    for (const topic of this.#findWatched([event.topic])) this.#handlers.onEvent({ ...event, topic })
  }

  #announce(): void {
    if (this.#topics.length > 0) this.#post({ kind: 'want', tab: this.#tab, topics: this.#topics })
  }

  #post(message: Message): void {
    // oxlint-disable-next-line require-post-message-target-origin -- a channel has no other origin
    if (!this.#hasLeft) this.#channel.postMessage(message)
  }

  /** Returns the given topics that this tab watches, as its own objects. */
  #findWatched(topics: readonly StreamTopic[]): readonly StreamTopic[] {
    const keys = new Set(topics.map(keyOf))
    return this.#topics.filter((topic) => keys.has(keyOf(topic)))
  }
}

type CreateSource = (handlers: StreamHandlers, findLastEventId: () => string | undefined) => StreamSource

/** Watches the topics of all tabs over the source of the tab that has the lock. */
class Leader {
  readonly #source: StreamSource
  readonly #dependencies: Leader.Dependencies
  readonly #topicsByTab: Map<string, readonly StreamTopic[]>
  #watched = new Map<string, StreamTopic>()

  constructor(source: StreamSource, dependencies: Leader.Dependencies) {
    this.#source = source
    this.#dependencies = dependencies
    this.#topicsByTab = new Map([[dependencies.tab, dependencies.topics]])
    this.#update()
  }

  /** Replaces the topics of a tab. The tab gets the newest event of each new topic. */
  setTopics(tab: string, topics: readonly StreamTopic[]): void {
    const { name, newest, send } = this.#dependencies
    const previousTopics = this.#topicsByTab.get(tab)
    const previousKeys = new Set(previousTopics?.map(keyOf))
    this.#topicsByTab.set(tab, topics)
    this.#update()
    for (const topic of topics) {
      const event = newest.get(keyOf(topic))
      if (event && !previousKeys.has(keyOf(topic))) send(tab, topic, event)
    }
    if (previousTopics) return
    // Each tab holds its own lock, which is released when the tab is gone.
    void navigator.locks.request(`${name} ${tab}`, () => {
      this.#topicsByTab.delete(tab)
      this.#update()
    })
  }

  stop(): void {
    this.#source.setTopics([])
  }

  #update(): void {
    const { newest } = this.#dependencies
    const topics = [...this.#topicsByTab.values()].flat()
    // The source compares topics by identity, and each message creates new objects.
    this.#watched = new Map(topics.map((topic) => [keyOf(topic), this.#watched.get(keyOf(topic)) ?? topic]))
    // The state of a topic without a watch becomes outdated.
    for (const key of newest.keys()) if (!this.#watched.has(key)) newest.delete(key)
    this.#source.setTopics([...this.#watched.values()])
  }
}

declare namespace Leader {
  type Dependencies = {
    readonly name: string
    /** The tab that leads, and its topics. */
    readonly tab: string
    readonly topics: readonly StreamTopic[]
    /** The newest event of each topic, by its key. */
    readonly newest: Map<string, TopicEvent>
    readonly send: (tab: string, topic: StreamTopic, event: TopicEvent) => void
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

type Message =
  | { readonly kind: 'event'; readonly event: TopicEvent }
  /** The sender has the source. All other tabs send it their topics. */
  | { readonly kind: 'lead' }
  /** The topics that the sender watches. */
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

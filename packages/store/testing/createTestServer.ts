import type { CountedRequests, CountingRequest, CountingStore, HoldRequest } from '../src/limit/CountingStore.ts'
import { createMemoryCounters } from '../src/limit/createMemoryLimiter.ts'

// The count of a window that ends so soon may be of the previous one.
const endingMs = 250

/** Creates an in-memory server of counts, for tests of processes that share counts. It can fail like a real server. */
export function createTestServer(): TestServer {
  const server = new Server()
  return {
    received: server.received,
    set: (fault) => server.set(fault),
    used: (subject, window) => server.data.counters.getWindowStates(subject, [window])[0]?.used,
    createStore: () => createStore(server),
    async start() {
      server.set('works')
    },
    async stop() {
      server.stop()
    },
    pause: () => server.set('hangs'),
    resume: () => server.set('works'),
    async [Symbol.asyncDispose]() {},
  }
}

/** The counts, the connections of all processes, and the present fault. */
class Server {
  readonly received = { admit: 0, reconnect: 0 }
  readonly links: Link[] = []
  data = createData()
  #fault: Fault = 'works'
  // Requests to execute, and connections to open, once the server works again.
  #executions: (() => void)[] = []
  readonly #openings: (() => void)[] = []

  /** Opens a connection. Waits until the server works. */
  async open(link: Link): Promise<void> {
    if (this.#fault === 'fails') link.onError(new Error('Cannot connect: the connection was refused'))
    const { promise, resolve } = Promise.withResolvers<void>()
    const finish = () => {
      link.isOpen = !link.isClosed
      resolve()
    }
    if (this.#fault === 'works' || this.#fault === 'counts') finish()
    else this.#openings.push(finish)
    await promise
  }
  /** Sends a request, and returns its response if the server responds. */
  async send<Value>(link: Link, execute: () => Value): Promise<Value> {
    if (!link.isOpen || this.#fault === 'fails') throw new Error('Cannot count: the connection is closed')
    if (this.#fault === 'works') return execute()
    if (this.#fault === 'counts') execute()
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    link.waiting.push(reject)
    if (this.#fault === 'hangs') this.#executions.push(() => void Promise.try(execute).then(resolve, reject))
    return await promise
  }
  set(next: Fault): void {
    this.#fault = next
    if (next !== 'works') return
    for (const run of [...this.#executions.splice(0), ...this.#openings.splice(0)]) run()
  }
  stop(): void {
    this.set('fails')
    this.#executions = []
    this.data = createData()
    for (const link of this.links) {
      breakOff(link)
      if (link.isOpen) link.onError(new Error('The connection was closed'))
    }
  }
}

/** Creates the store of one more process. */
function createStore(server: Server): CountingStore {
  const link: Link = { isOpen: false, isClosed: false, waiting: [], onError: () => {} }
  const processId = server.links.push(link)
  const toMember = (member: string) => `${processId}:${member}`
  return {
    name: 'Test store',
    async connect(onError) {
      link.onError = onError
      await server.open(link)
    },
    async admit(request) {
      server.received.admit += 1
      return await server.send(link, () => server.data.admit(processId, request))
    },
    hold: (request) => server.send(link, () => server.data.hold({ ...request, member: toMember(request.member) })),
    release: ({ subject, member }) => server.send(link, () => server.data.release(subject, toMember(member))),
    async reconnect() {
      server.received.reconnect += 1
      if (!link.isOpen) return
      breakOff(link)
      link.isOpen = false
      await server.open(link)
    },
    close() {
      breakOff(link)
      Object.assign(link, { isOpen: false, isClosed: true })
    },
  }
}

/** `counts`: the server executes requests and does not respond. */
type Fault = 'works' | 'fails' | 'hangs' | 'counts'

/** A counting server in memory, for tests. */
export type TestServer = AsyncDisposable & {
  /** Number of requests of each kind. */
  readonly received: { readonly admit: number; readonly reconnect: number }
  /** Creates the store of one more process. */
  createStore(): CountingStore
  /** Changes how the server responds. Its counts remain. */
  set(fault: Fault): void
  /** Returns the calls in a window. */
  used(
    subject: string,
    window: { readonly name: string; readonly limit: number; readonly lengthMs: number },
  ): number | undefined
  start(): Promise<void>
  /** Stops the server. It loses its counts. */
  stop(): Promise<void>
  /** Suspends the server. It executes the received requests later. */
  pause(): void
  resume(): void
}

/** The connection of one process. */
type Link = {
  isOpen: boolean
  isClosed: boolean
  onError: (error: unknown) => void
  /** Functions that reject the requests without a response. */
  waiting: ((error: unknown) => void)[]
}

function breakOff(link: Link): void {
  for (const reject of link.waiting.splice(0)) reject(new Error('Cannot count: the connection was closed'))
}

/** Creates the data of a server without counts. A stopped server loses its data. */
function createData() {
  const now = () => performance.now()
  const counters = createMemoryCounters(now)
  const lastNumbers = new Map<string, number>()
  const held = new Map<string, Map<string, number>>()
  function raiseCounts({ subject, windows }: CountingRequest): void {
    for (const window of windows) {
      const { knownUsed, lengthMs } = window
      const [state = { used: 0, endsInMs: lengthMs }] = counters.getWindowStates(subject, [window])
      const isKnown = !counters.isBegun(subject, window) || lengthMs > endingMs
      if (isKnown && knownUsed > state.used) counters.set(subject, window, { ...state, used: knownUsed })
    }
  }
  return {
    counters,
    admit(processId: number, request: CountingRequest): CountedRequests {
      const { subject, windows, costs, number } = request
      const last = lastNumbers.get(`${processId} ${subject}`) ?? 0
      if (number <= last) throw new Error('Cannot count: a later request was executed before this one')
      lastNumbers.set(`${processId} ${subject}`, number)
      raiseCounts(request)
      const admissions = costs.map((each) => counters.admit(subject, windows, each))
      return { admissions, states: counters.getWindowStates(subject, windows) }
    },
    hold({ subject, member, limit = Infinity, ttlMs }: HoldRequest): boolean {
      const members = held.get(subject) ?? new Map<string, number>()
      for (const [name, endsAtMs] of members) if (endsAtMs <= now()) members.delete(name)
      if (members.size >= limit) return false
      held.set(subject, members.set(member, now() + ttlMs))
      return true
    },
    release: (subject: string, member: string) => void held.get(subject)?.delete(member),
  }
}

import { Async } from '@agio/core'
import type { StoreLog } from '../log/StoreLog.ts'
import type { CountingStore } from './CountingStore.ts'
import { createMemoryCounters, createMemoryLimiter, fits } from './createMemoryLimiter.ts'
import { createOutageAdmission, type Requests } from './createOutageAdmission.ts'
import { createSharedHolds } from './createSharedHolds.ts'
import type { Admission, Limiter, Window, WindowState } from './Limiter.ts'
import { defaultResponseTimeoutMs, withTimeout } from '../response/withTimeout.ts'

/**
 * Creates a limiter that counts the requests of all processes in a store. It keeps the store's last response for each
 * window, and refuses requests in a full window without a call to the store. While the store is unavailable, this
 * process admits its share of the calls that remained by that response. When the store is available again, each window continues
 * from the larger of the two counts. A window with calls from before this process started reads them again.
 */
export async function createFailoverLimiter(
  store: CountingStore,
  { log, countProcesses = () => 1, responseTimeoutMs = defaultResponseTimeoutMs }: createFailoverLimiter.Options,
): Promise<Limiter> {
  const now = () => performance.now()
  const counters = createMemoryCounters(now)
  const memory = createMemoryLimiter(counters)
  const outage = createOutageAdmission({ counters, now, countProcesses })
  const onChange = { onUnavailable: outage.begin, onAvailable: memory.readAgain }
  const prober = await probeStore(store, { log, responseTimeoutMs, ...onChange })
  const { isAvailable, markUnavailable } = prober
  const processes = { countProcesses: outage.countProcesses, onError: markUnavailable }
  const holds = createSharedHolds({ store, isAvailable, responseTimeoutMs, ...processes })
  let lastNumber = 0

  async function admitInStore({ subject, windows, costs }: Requests): Promise<readonly Admission[]> {
    const known = counters.getWindowStates(subject, windows)
    const shared = windows.map(({ name, limit }, index) => {
      const { used: knownUsed, endsInMs: lengthMs } = known[index] as WindowState
      return { name, limit, lengthMs, knownUsed }
    })
    const response = store.admit({ subject, windows: shared, costs, number: (lastNumber += 1) })
    const { admissions, states } = await withTimeout(response, responseTimeoutMs)
    for (const [index, window] of windows.entries()) {
      const state = states[index] as WindowState
      if (state.used > 0) counters.set(subject, window, state)
    }
    return admissions
  }
  async function admitTogether(requests: Requests): Promise<readonly Admission[]> {
    // An earlier request may have found that the store is unavailable.
    if (!isAvailable()) return outage.admit(requests)
    return await admitInStore(requests).catch((error: unknown) => {
      markUnavailable(error)
      return outage.admit(requests)
    })
  }
  const admitInOrder = Async.createSerialBatch(async (subject, requests: readonly Request[]) => {
    const admissions: Admission[] = []
    for (const group of groupByLimits(requests)) admissions.push(...(await admitTogether({ subject, ...group })))
    return admissions.map((value) => ({ value }))
  })

  async function admit(subject: string, windows: readonly Window[], cost: number): Promise<Admission> {
    await memory.begin(subject, windows)
    if (!isAvailable()) return outage.admit({ subject, windows, costs: [cost] })[0] as Admission
    const states = counters.getWindowStates(subject, windows)
    const haveRoom = windows.every((window, index) => fits(window, states[index]?.used, cost))
    // Counts never decrease, so the store would refuse these requests too.
    return haveRoom ? await admitInOrder(subject, { windows, cost }) : { isAdmitted: false, states }
  }

  return {
    hold: holds.hold,
    admit: (subject, windows, cost = 1) => admit(subject, windows, cost),
    getWindowState: (subject, window) => (isAvailable() ? memory : outage).getWindowState(subject, window),
    state: () => (isAvailable() ? 'shared' : 'unavailable'),
    async close() {
      prober.stop()
      holds.stop()
      store.close()
    },
  }
}

export declare namespace createFailoverLimiter {
  type Options = {
    readonly log: StoreLog
    /** Returns the number of processes that share the store, this one included; 1 by default. */
    readonly countProcesses?: (() => number) | undefined
    /** How long a request waits for the store before this process counts it, in milliseconds; 250 by default. */
    readonly responseTimeoutMs?: number | undefined
  }
}

type Request = { readonly windows: readonly Window[]; readonly cost: number }

type Group = { readonly windows: readonly Window[]; readonly costs: number[] }

/** Groups requests, in their order, that follow each other and have the same windows with the same limits. */
function groupByLimits(requests: readonly Request[]): readonly Group[] {
  const groups: Group[] = []
  for (const { windows, cost } of requests) {
    const last = groups.at(-1)
    if (last && haveSameLimits(last.windows, windows)) last.costs.push(cost)
    else groups.push({ windows, costs: [cost] })
  }
  return groups
}

// A limit changes with the tier of a key.
function haveSameLimits(windows: readonly Window[], others: readonly Window[]): boolean {
  const isSame = ({ name, limit }: Window, index: number) =>
    name === others[index]?.name && limit === others[index].limit
  return windows.length === others.length && windows.every(isSame)
}

const retryMs = 250
// This interval detects a hung store even without traffic.
const intervalMs = 1000
// No request waits for this response, so a busy machine gets more time.
const probeTimeoutFactor = 4

const probeWindow = { name: 'probe', limit: 1_000_000, lengthMs: 1000, knownUsed: 0 }

/** Connects to a store, and probes in the background whether it is available. */
async function probeStore(
  store: CountingStore,
  { log, responseTimeoutMs, onUnavailable = () => {}, onAvailable = () => {} }: Dependencies,
) {
  let probes = 0
  let isAvailable = true
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function markUnavailable(error: unknown): void {
    if (isStopped || !isAvailable) return
    isAvailable = false
    log.error({ err: error }, `${store.name} is unavailable: each process admits its share of the remaining calls`)
    onUnavailable()
    scheduleProbe()
  }
  function scheduleProbe(): void {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void probe(), isAvailable ? intervalMs : retryMs)
  }
  async function probe(): Promise<void> {
    const wasAvailable = isAvailable
    try {
      await (wasAvailable ? count(probeTimeoutFactor * responseTimeoutMs) : count(responseTimeoutMs).catch(reconnect))
      if (!wasAvailable) recover()
    } catch (error) {
      markUnavailable(error)
    }
    // A store that has become unavailable meanwhile has its next probe already.
    if (!wasAvailable || isAvailable) scheduleProbe()
  }
  function recover(): void {
    isAvailable = true
    log.info({}, `${store.name} is available again: limits are shared`)
    onAvailable()
  }
  // A probe counts a real call: a store that responds but cannot write is unavailable.
  async function count(timeoutMs: number): Promise<void> {
    const request = { subject: 'probe', windows: [probeWindow], costs: [1], number: (probes += 1) }
    await withTimeout(store.admit(request), timeoutMs)
  }
  // Drops a half-open connection. The socket may never report it.
  async function reconnect(cause: unknown): Promise<never> {
    if (!isStopped) await withTimeout(store.reconnect(), responseTimeoutMs).catch(markUnavailable)
    throw cause
  }

  await withTimeout(store.connect(markUnavailable), responseTimeoutMs).catch(markUnavailable)
  scheduleProbe()
  return {
    /** Returns whether the store could count when it was last used or probed. */
    isAvailable: () => isAvailable,
    /** Records that the store failed to count, and logs it once. */
    markUnavailable,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

type Dependencies = {
  readonly log: StoreLog
  readonly responseTimeoutMs: number
  /** Runs when the store becomes unavailable. */
  readonly onUnavailable?: (() => void) | undefined
  /** Runs when the store becomes available again. */
  readonly onAvailable?: (() => void) | undefined
}

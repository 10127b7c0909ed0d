import type { StoreLog } from '../log/StoreLog.ts'
import type { CountingStore } from './CountingStore.ts'
import { withTimeout } from '../response/withTimeout.ts'

const retryMs = 250
// Every process connects and probes within this time, after the store has become reachable.
const reportedMs = 500
// This interval detects a hung store even without traffic.
const intervalMs = 1000
// No request waits for this response, so a busy machine gets more time.
const probeTimeoutFactor = 4

const probeWindow = { name: 'probe', limit: 1_000_000, lengthMs: 1000, knownUsed: 0, unsynced: [] }

/**
 * Connects to a store, and probes in the background whether it is available.
 *
 * A store that responds again is first reachable: this process reports the calls that it admitted meanwhile. The store is
 * available half a second later, when the other processes have reported their calls, too.
 */
export async function probeStore(
  store: CountingStore,
  { log, responseTimeoutMs, onUnavailable = () => {}, report = async () => {} }: probeStore.Dependencies,
): Promise<StoreProbe> {
  let probes = 0
  let state: 'available' | 'reachable' | 'unavailable' = 'available'
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function markUnavailable(error: unknown): void {
    if (isStopped) return
    const wasAvailable = state === 'available'
    state = 'unavailable'
    if (!wasAvailable) return
    log.error({ err: error }, `${store.name} is unavailable: each process admits its share of the remaining calls`)
    onUnavailable()
    scheduleProbe()
  }
  function scheduleProbe(): void {
    clearTimeout(timer)
    const delaysMs = { available: intervalMs, reachable: reportedMs, unavailable: retryMs }
    if (!isStopped) timer = setTimeout(() => void probe(), delaysMs[state])
  }
  async function probe(): Promise<void> {
    const wasAvailable = state === 'available'
    try {
      await (wasAvailable ? count(probeTimeoutFactor * responseTimeoutMs) : count(responseTimeoutMs).catch(reconnect))
      if (!wasAvailable) await recover()
    } catch (error) {
      markUnavailable(error)
    }
    // A store that has become unavailable meanwhile has its next probe already.
    if (!wasAvailable || state === 'available') scheduleProbe()
  }
  async function recover(): Promise<void> {
    if (state === 'unavailable') {
      state = 'reachable'
      await report()
      return
    }
    state = 'available'
    log.info({}, `${store.name} is available again: limits are shared`)
    // The calls that this process has admitted since its first report.
    void report()
  }
  // A probe counts a real call: a store that responds but cannot write is unavailable.
  async function count(timeoutMs: number): Promise<void> {
    const request = { subject: 'probe', windows: [probeWindow], costs: [[1]], number: (probes += 1) }
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
    isAvailable: () => state === 'available',
    isReachable: () => !isStopped && state !== 'unavailable',
    markUnavailable,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

export declare namespace probeStore {
  type Dependencies = {
    readonly log: StoreLog
    readonly responseTimeoutMs: number
    /** Runs when the store becomes unavailable. */
    readonly onUnavailable?: (() => void) | undefined
    /** Reports the calls of this process to the store. Calls `markUnavailable` if the store fails, and never rejects. */
    readonly report?: (() => Promise<void>) | undefined
  }
}

/** Records whether a store is available, and probes it in the background. */
export type StoreProbe = {
  /** Returns whether the store could count when it was last used or probed. */
  isAvailable(): boolean
  /** Returns whether the store is available, or will be once the processes have reported their calls. */
  isReachable(): boolean
  /** Records that the store failed to count, and logs it once. */
  markUnavailable(error: unknown): void
  stop(): void
}

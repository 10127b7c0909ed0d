import type { StoreLog } from '../log/StoreLog.ts'
import type { CountingStore } from './CountingStore.ts'
import { withTimeout } from '../response/withTimeout.ts'

const retryMs = 250
// This interval detects a hung store even without traffic.
const intervalMs = 1000
// No request waits for this response, so a busy machine gets more time.
const probeTimeoutFactor = 4

const probeWindow = { name: 'probe', limit: 1_000_000, lengthMs: 1000, knownUsed: 0 }

/** Connects to a store, and probes in the background whether it is available. */
export async function probeStore(
  store: CountingStore,
  { log, responseTimeoutMs, onUnavailable = () => {}, onAvailable = () => {} }: probeStore.Dependencies,
): Promise<StoreProbe> {
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
    isAvailable: () => isAvailable,
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
    /** Runs when the store becomes available again. */
    readonly onAvailable?: (() => void) | undefined
  }
}

/** Records whether a store is available, and probes it in the background. */
export type StoreProbe = {
  /** Returns whether the store could count when it was last used or probed. */
  isAvailable(): boolean
  /** Records that the store failed to count, and logs it once. */
  markUnavailable(error: unknown): void
  stop(): void
}

import type { StoreLog } from '../log/StoreLog.ts'
import type { CountingStore } from './CountingStore.ts'
import { createCountExchange } from './createCountExchange.ts'
import { createMemoryCounters, createMemoryLimiter, fits } from './createMemoryLimiter.ts'
import { createOutageAdmission } from './createOutageAdmission.ts'
import { createSharedHolds } from './createSharedHolds.ts'
import { createAdmissionQueue, createStoreAdmission } from './createStoreAdmission.ts'
import { createUnsyncedCalls, type UnsyncedLedger } from './createUnsyncedCalls.ts'
import type { Admission, Costs, Limiter, Window } from './Limiter.ts'
import { probeStore } from './probeStore.ts'
import { defaultResponseTimeoutMs } from '../response/withTimeout.ts'

// How many subjects are reported to the store at a time.
const reportedTogether = 100

/**
 * Creates a limiter that counts the requests of all processes in a store. It keeps the store's last response for each
 * window, and refuses requests in a full window without a call to the store. While the store is unavailable, this
 * process admits its share of the calls that remained by that response. When the store is reachable again, this process
 * reports the calls that it admitted meanwhile, before it uses the store again.
 */
export async function createFailoverLimiter(
  store: CountingStore,
  options: createFailoverLimiter.Options,
): Promise<Limiter> {
  const clock = () => performance.now()
  const counters = createMemoryCounters(clock)
  const unsynced = createUnsyncedCalls(clock)
  const memory = createMemoryLimiter(counters)
  const processes = createProcessCount(options)
  const { log, responseTimeoutMs = defaultResponseTimeoutMs } = options
  const renew: Renew = (subject, windows) =>
    admitInTurn(
      subject,
      windows,
      windows.map(() => 0),
    )
  const report = () => reportCalls(unsynced, renew, () => prober.isReachable())
  const prober = await probeStore(store, { log, responseTimeoutMs, onUnavailable: processes.begin, report })
  const { isAvailable, markUnavailable } = prober
  const outage = createOutageAdmission({ counters, unsynced, countProcesses: processes.countMost })
  const exchange = createCountExchange({ store, counters, isAvailable })
  const admission = { store, counters, unsynced, responseTimeoutMs }
  const inStore = createStoreAdmission({ ...admission, onCounted: exchange.add })

  const countProcesses = processes.countMost
  const holds = createSharedHolds({ store, isAvailable, onError: markUnavailable, countProcesses, responseTimeoutMs })

  const admitInTurn = createAdmissionQueue(async (requests) => {
    const { subject, windows, costs } = requests
    if (isAvailable()) {
      return await inStore.admit(requests, (error) => {
        markUnavailable(error)
        return outage.count(subject, windows, costs)
      })
    }
    if (prober.isReachable()) await inStore.report(subject).catch(markUnavailable)
    // An earlier request may have found that the store is unavailable.
    return costs.map((each) => outage.admit(subject, windows, each))
  })

  async function admit(subject: string, windows: readonly Window[], costs: Costs): Promise<Admission> {
    await memory.begin(subject, windows)
    if (!isAvailable()) return outage.admit(subject, windows, costs)
    const states = counters.getWindowStates(subject, windows)
    const haveRoom = windows.every((window, index) => fits(window, states[index]?.used, costs[index]))
    // Counts never decrease, so the store would refuse these requests too.
    if (!haveRoom && !unsynced.has(subject, windows)) return { isAdmitted: false, states }
    return await admitInTurn(subject, windows, costs)
  }

  return {
    hold: holds.hold,
    admit: (subject, windows, costs = windows.map(() => 1)) => admit(subject, windows, costs),
    getWindowState: (subject, window) => (isAvailable() ? memory : outage).getWindowState(subject, window),
    state: () => (isAvailable() ? 'shared' : 'unavailable'),
    async close() {
      prober.stop()
      exchange.stop()
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

/** Reports the unsynced calls in groups, so that other requests are delayed little. Ends early if the store fails. */
async function reportCalls(unsynced: UnsyncedLedger, renew: Renew, isReachable: () => boolean): Promise<void> {
  async function reportSubject(subject: string): Promise<void> {
    const windows = unsynced.listWindows(subject)
    if (windows.length > 0) await renew(subject, windows)
  }
  const subjects = unsynced.listUnreported()
  for (let at = 0; at < subjects.length && isReachable(); at += reportedTogether) {
    await Promise.all(subjects.slice(at, at + reportedTogether).map(reportSubject))
  }
}

/** Sends a request without calls to the store, which carries the unsynced calls of the subject. */
type Renew = (subject: string, windows: readonly Window[]) => Promise<unknown>

/**
 * Counts the processes that share a limit during an outage. It returns the largest count since the outage began.
 */
function createProcessCount({ countProcesses = () => 1 }: createFailoverLimiter.Options) {
  let most = 1
  return {
    begin: () => void (most = countProcesses()),
    // A process that has ended may have used its share, so the count does not decrease.
    countMost: () => (most = Math.max(most, countProcesses())),
  }
}

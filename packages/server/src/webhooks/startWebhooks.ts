import type { Chain } from '@agio/chain'
import type { Clock } from '@agio/core'
import type { AttemptResult, ClaimedDelivery, FinishedAttempt, WebhookStore } from '@agio/store'
import type { Tracer } from '../tracing/Tracer.ts'
import { traceDeliveries } from './traceDeliveries.ts'
import { createDeliverer } from './createDeliverer.ts'
import { createSender } from './createSender.ts'
import { createObserver } from './createObserver.ts'
import { repeat } from './repeat.ts'
import { createDnsResolver, resolveBySystem, type ResolveHost } from './resolveTarget.ts'

const cleanEveryMs = 600_000

/**
 * Starts the observation of transactions and pools, the delivery of their events, and the deletion of old rows. Without
 * webhooks, only the old rows are deleted.
 */
export function startWebhooks(dependencies: Dependencies) {
  const { targets } = dependencies.settings
  const start = () => (targets === 'off' ? startCleaning(dependencies) : startWorkers(dependencies, targets))
  let workers: Workers | undefined = start()
  let isStopped = false
  return {
    /**
     * Stops the work at once, and returns a function that starts it again. Meanwhile nothing is written to the database:
     * deliveries in flight are aborted, and are sent again later.
     */
    async pause(): Promise<() => void> {
      await workers?.stop({ graceMs: 0 })
      workers = undefined
      return () => {
        // New workers remember nothing of what was observed before.
        if (!isStopped) workers ??= start()
      }
    },
    /** Finishes the deliveries in flight, or leaves them to other processes. */
    async stop(): Promise<void> {
      isStopped = true
      await workers?.stop()
    },
  }
}

type Workers = { stop(options?: { readonly graceMs?: number }): Promise<void> }

/**
 * Deletes old rows at the start and every ten minutes. Unlike `startRetention`, it follows the clock of the service, and pauses
 * while a snapshot is restored.
 */
function startCleaning({ webhooks, settings, clock, log }: Dependencies): Workers {
  const stopping = new AbortController()
  let cleanedAtMs = -Infinity
  const cleaning = repeat(
    async () => {
      if (clock.monotonicMs() - cleanedAtMs < cleanEveryMs) return
      cleanedAtMs = clock.monotonicMs()
      await webhooks.deliveries.clean(settings.deliveryDays, stopping.signal)
    },
    { intervalMs: 500, onError: createFailureLog(log)('cannot delete old webhook deliveries') },
  )
  return {
    async stop() {
      stopping.abort()
      await cleaning.stop()
    },
  }
}

function startWorkers(dependencies: Dependencies, targets: 'public' | 'local'): Workers {
  const { chains, webhooks, settings, clock, log, observeDelivery } = dependencies
  const { timeoutMs } = settings
  // A local network may have names that only the system resolves.
  const { resolveHost = targets === 'local' ? resolveBySystem : createDnsResolver() } = dependencies
  const logFailure = createFailureLog(log)
  const observer = createObserver({
    chains,
    webhooks,
    chargePoll: dependencies.chargePoll,
    now: clock.now,
    onError: logFailure('cannot observe followed transactions or markets'),
  })
  const deliverer = createDeliverer({
    queue: webhooks.deliveries,
    hasEnabled: webhooks.hasEnabled,
    send: traceDeliveries(createSender({ targets, timeoutMs, resolveHost, now: clock.now }), dependencies.tracer),
    retryMs: settings.retryMs,
    timeoutMs,
    onError: logFailure('cannot deliver webhooks'),
    onFinished(finished, about) {
      observeDelivery(finished)
      if (finished === 'disabled' || finished === 'given-up') logEnd(log, finished, about)
    },
  })
  const cleaning = startCleaning(dependencies)
  return {
    async stop(options) {
      await Promise.all([observer.stop(), deliverer.stop(options), cleaning.stop()])
    },
  }
}

type Dependencies = {
  readonly chains: readonly Chain[]
  readonly webhooks: WebhookStore
  readonly settings: {
    readonly targets: 'public' | 'local' | 'off'
    readonly retryMs: readonly number[]
    readonly timeoutMs: number
    /** Days for which ended deliveries are kept. If undefined, given-up deliveries are kept. */
    readonly deliveryDays: number | undefined
  }
  readonly log: Log
  readonly clock: Clock.Clock
  readonly chargePoll: createObserver.Dependencies['chargePoll']
  /** The tracer; undefined without a collector. */
  readonly tracer?: Pick<Tracer, 'inTrace'> | undefined
  /** Called after each attempt. */
  readonly observeDelivery: (finished: FinishedAttempt) => void
  /** Resolves the host names of receivers. Default: by DNS, and by the system on a local service. */
  readonly resolveHost?: ResolveHost | undefined
}

type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** The delivery of webhooks, until it is stopped. */
export type RunningWebhooks = ReturnType<typeof startWebhooks>

type Ended = { readonly delivery: ClaimedDelivery; readonly attempt: AttemptResult }

/** Logs the end of a failed delivery, without its URL, which may contain a secret. */
function logEnd(log: Log, finished: FinishedAttempt, { delivery: { id, type }, attempt }: Ended): void {
  const { status } = attempt
  const error = attempt.outcome === 'failed' ? attempt.error : undefined
  const message = finished === 'disabled' ? 'webhook disabled: its receiver fails' : 'webhook delivery given up'
  log.info({ delivery: id, type, status, error }, message)
}

const logIntervalMs = 60_000

/** Logs the first failure of each minute, since every run fails while a node or the database is unavailable. */
function createFailureLog(log: Log) {
  const loggedAtMs = new Map<string, number>()
  return (message: string) => (error: unknown) => {
    const nowMs = performance.now()
    if (nowMs - (loggedAtMs.get(message) ?? -Infinity) < logIntervalMs) return
    loggedAtMs.set(message, nowMs)
    log.warn({ err: error }, message)
  }
}

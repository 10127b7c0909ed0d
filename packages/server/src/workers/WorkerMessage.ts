import type { ChainId } from '@agio/core'

/** What a worker tells its supervisor. */
export type WorkerMessage =
  | {
      readonly kind: 'ready'
      readonly url: string
      readonly chainIds: readonly ChainId[]
      /** `ready`, or `ready (degraded: …)`. */
      readonly readiness: string
    }
  /** Requests the metrics of all workers. */
  | { readonly kind: 'metrics'; readonly id: number }

/** What the supervisor tells a worker. */
export type SupervisorMessage =
  | { readonly kind: 'stop' }
  /** The metrics of all workers; undefined if one did not answer in time. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string | undefined }

import type { AgioError } from '../errors/AgioError.ts'

export type WatchOptions = {
  /** Ends the iteration, which then throws its reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called with errors that pass by themselves, after which the iteration goes on: the connection is cut and opened again, or a price is
   * stale. All others are thrown.
   */
  readonly onError?: ((error: AgioError) => void) | undefined
}

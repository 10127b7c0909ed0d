import type { AgioError } from '../errors/AgioError.ts'

export type WatchOptions = {
  /** Ends the iteration, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called with temporary errors, after which the iteration continues. Examples: the connection is cut and reopened, or
   * a price is stale. All other errors are thrown.
   */
  readonly onError?: ((error: AgioError) => void) | undefined
}

import type { Context } from '../trpc/Context.ts'
import type { RestRoute } from './restRoutes.ts'

/** A request that was read and admitted. */
export type RestCall = {
  readonly route: RestRoute
  /** The path that the route is called by: with every parameter, as it was sent. */
  readonly path: string
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: Readonly<Record<string, unknown>>
  readonly context: Context
}

/**
 * Runs the procedure of a call.
 *
 * @returns its answer as JSON text
 * @throws `RestCallError`
 */
export type RestHandler = (call: RestCall) => Promise<string>

/** A procedure that threw, with the input that it was called with. */
export class RestCallError extends Error {
  override readonly name = 'RestCallError'
  readonly input: unknown

  constructor(cause: unknown, input: unknown) {
    super('Cannot run the procedure: it threw', { cause })
    this.input = input
  }
}

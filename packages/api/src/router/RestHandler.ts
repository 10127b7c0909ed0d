import type { Context } from '../procedure/Context.ts'
import type { RestEndpoint } from './restEndpoints.ts'

/** An admitted request with its input. */
export type RestCall = {
  readonly endpoint: RestEndpoint
  /** The path with all of its parameters, encoded. */
  readonly path: string
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: Readonly<Record<string, unknown>>
  readonly context: Context
}

/**
 * Runs the procedure of a call.
 *
 * @returns its output as JSON text
 * @throws `RestCallError`
 */
export type RestHandler = (call: RestCall) => Promise<string>

/** The error of a procedure, as `cause`, with the input of the call. */
export class RestCallError extends Error {
  override readonly name = 'RestCallError'
  readonly input: unknown

  constructor(cause: unknown, input: unknown) {
    super('Cannot run the procedure: it threw', { cause })
    this.input = input
  }
}

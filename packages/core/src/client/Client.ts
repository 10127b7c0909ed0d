import { clientDisconnected } from '../errors/requestErrors.ts'

/**
 * A client that waits for a response. `signal` aborts when the client disconnects. It may be a getter that creates the
 * signal at the first read.
 */
export type Client = {
  readonly signal: AbortSignal
  /** Makes a read of a node once the client has a slot. Default: at once. */
  readonly inSlot?: InSlot | undefined
  /** Notes the node that answered a read, by its position. */
  readonly addNode?: ((position: number) => void) | undefined
}

/** Makes a read once it has a slot. Reads start in the order of their calls. */
export type InSlot = <Result>(read: () => Promise<Result>) => Promise<Result>

/**
 * Waits for a result until the client disconnects. The work continues, because other clients may share it.
 *
 * @throws what the work throws; `svc/invalid-request` if the client disconnects first
 */
export async function untilAborted<Result>(work: Promise<Result>, { signal }: Client): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(clientDisconnected())
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  try {
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Asserts that a client, if there is one, is still connected.
 *
 * @throws `svc/invalid-request` if the client has disconnected
 */
export function assertConnected(client: Client | undefined): void {
  if (client?.signal.aborted === true) throw clientDisconnected()
}

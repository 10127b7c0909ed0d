/** What a node sends over a socket: an answer, or a notice of a subscription. */
export type Message = {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly result?: unknown } | null
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string } | null
}

/** The message of a WebSocket's frame; undefined if it is none of JSON-RPC. */
export function findMessage(frame: unknown): Message | undefined {
  if (typeof frame !== 'string') return undefined
  try {
    const message: unknown = JSON.parse(frame)
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined
  } catch {
    return undefined
  }
}

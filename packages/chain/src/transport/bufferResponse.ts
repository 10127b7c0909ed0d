import { matchResponses, type Identified } from './matchResponses.ts'

// The body of a response with one of these statuses describes a load balancer, not the request.
const opaqueStatuses = new Set([429, 502, 503, 504])

const json = { 'content-type': 'application/json' }

/**
 * Wraps a `fetch` so that it reads each response to its end, which makes viem's time limit cover the body. It also
 * checks that the response answers the request.
 *
 * If a response limits the rate or reports an outage, its body is dropped. Otherwise viem would use an error in the
 * body and ignore the status.
 */
export function bufferResponse(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const text = await response.text()
    const { status } = response
    if (opaqueStatuses.has(status)) return new Response('', { status })
    const received = status < 400 ? (JSON.parse(text) as unknown) : tryParse(text)
    if (status >= 400 && !isError(received)) return new Response(text, { status, headers: json })
    const sent = JSON.parse(init?.body as string) as Identified | readonly Identified[]
    const matched = matchAll(sent, received)
    return new Response(matched === received ? text : JSON.stringify(matched), { headers: json })
  }
}

function matchAll(sent: Identified | readonly Identified[], received: unknown): unknown {
  if (isBatch(sent)) return matchResponses(sent, received)
  return matchResponses([sent], isError(received) ? received : [received])[0]
}

function isBatch(sent: Identified | readonly Identified[]): sent is readonly Identified[] {
  return Array.isArray(sent)
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns whether a response is a JSON-RPC error, which may answer a whole batch. */
function isError(received: unknown): boolean {
  const { error } = { ...(received as { readonly error?: { readonly code?: unknown } } | null) }
  return typeof error?.code === 'number'
}

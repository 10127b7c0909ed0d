const limited = 429
// Statuses whose bodies say nothing of the call: a balancer's, mostly.
const silent = new Set([limited, 502, 503, 504])
// What nodes answer to who calls too often (EIP-1474), here to a whole batch.
const batchLimited = /^\s*\{.*"code":\s*-32005\b/s

/**
 * Makes a `fetch` read each answer to its end, so that viem's time limit holds for the body too, and leave out what a node
 * says that limits our rate or is away: viem would take an error in such a body for an answer, and forget the status.
 */
export function readWhole(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const text = await response.text()
    const status = batchLimited.test(text) ? limited : response.status
    if (silent.has(status)) return new Response('', { status })
    return new Response(text, { status, headers: { 'content-type': response.headers.get('content-type') ?? '' } })
  }
}

import { matchAnswers, type Identified } from './matchAnswers.ts'

// Statuses whose bodies say nothing of the call: a balancer's, mostly.
const silent = new Set([429, 502, 503, 504])

const json = { 'content-type': 'application/json' }

/**
 * Makes a `fetch` read each answer to its end, so that viem's time limit holds for the body too, make sure that it answers
 * what was asked, and leave out what a node says that limits our rate or is away: viem would take an error in such a body
 * for an answer, and forget the status.
 */
export function readWhole(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const text = await response.text()
    const { status } = response
    if (silent.has(status)) return new Response('', { status })
    const answered = status < 400 ? (JSON.parse(text) as unknown) : findJson(text)
    if (status >= 400 && !isError(answered)) return new Response(text, { status, headers: json })
    const asked = JSON.parse(init?.body as string) as Identified | readonly Identified[]
    const answers = matchAll(asked, answered)
    return new Response(answers === answered ? text : JSON.stringify(answers), { headers: json })
  }
}

function matchAll(asked: Identified | readonly Identified[], answered: unknown): unknown {
  if (isBatch(asked)) return matchAnswers(asked, answered)
  return matchAnswers([asked], isError(answered) ? answered : [answered])[0]
}

function isBatch(asked: Identified | readonly Identified[]): asked is readonly Identified[] {
  return Array.isArray(asked)
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether it is what a node says that refuses a whole batch. */
function isError(answered: unknown): boolean {
  const { error } = { ...(answered as { readonly error?: { readonly code?: unknown } } | null) }
  return typeof error?.code === 'number'
}

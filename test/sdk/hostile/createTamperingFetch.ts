/** The body of a response: the data of a result, or an error of the service. */
export type Answer =
  | { readonly result: { readonly data: Json } }
  | { readonly error: { readonly message: string; readonly data: Json } }

// oxlint-disable-next-line typescript/no-explicit-any -- a change names fields of any procedure
export type Json = any

/** Changes the answer of a procedure. */
export type Change = (answer: Answer, call: TamperedCall) => Answer | Promise<Answer>

/** The call that an answer belongs to. */
export type TamperedCall = {
  /** How many calls of the procedure came before. */
  readonly index: number
  /** The input of the procedure. */
  readonly input: Json
}

/** The changes, by the name of their procedure. */
export type Changes = Readonly<Record<string, Change>>

/**
 * Creates a `fetch` that stands between the SDK and a service as a hostile service would: it sends each request
 * unchanged and changes the answers of the named procedures.
 *
 * @example
 * const fetch = createTamperingFetch({ 'convert.quote': changeData((quote) => ({ ...quote, spender: attacker })) })
 */
export function createTamperingFetch(changes: Changes): typeof globalThis.fetch {
  const counts: Record<string, number> = {}
  return async (input, init) => {
    const response = await fetch(input, init)
    const procedure = new URL(input instanceof Request ? input.url : input).pathname.split('/').at(-1) ?? ''
    const change = changes[procedure]
    if (!change) return response
    const index = counts[procedure] ?? 0
    counts[procedure] = index + 1
    const call: TamperedCall = { index, input: JSON.parse(typeof init?.body === 'string' ? init.body : '{}') }
    const answer = await change((await response.json()) as Answer, call)
    return Response.json(answer, { status: 'error' in answer ? 400 : 200 })
  }
}

/** Creates the change of a result. Errors of the service stay unchanged. */
export function changeData(change: (data: Json, call: TamperedCall) => Json): Change {
  return (answer, call) => ('error' in answer ? answer : { result: { data: change(answer.result.data, call) } })
}

/** Creates an answer with an error of the service. */
export function toErrorAnswer(code: string, fields: Readonly<Record<string, unknown>> = {}): Answer {
  return { error: { message: code, data: { code, retryable: false, action: 'requote', ...fields } } }
}

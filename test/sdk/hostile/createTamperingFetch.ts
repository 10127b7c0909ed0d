/**
 * The body of a response: the data of a result, or an error of the service.
 */
export type Answer =
  | { readonly result: { readonly data: Json } }
  | { readonly error: { readonly message: string; readonly data: Json } }

// oxlint-disable-next-line typescript/no-explicit-any -- a change names fields of any procedure
export type Json = any

/** Changes the answer of a procedure. If it throws, the request fails without an answer. */
export type Change = (answer: Answer, call: TamperedCall) => Answer | Promise<Answer>

/** The call that an answer belongs to. */
export type TamperedCall = {
  readonly procedure: string
  /** How many calls of the procedure came before. For a stream, how many events. */
  readonly index: number
  /** The input of the procedure. */
  readonly input: Json
}

/** The changes, by the name of their procedure. `*` changes the answers of all other procedures. */
export type Changes = Readonly<Record<string, Change>>

/**
 * Creates a `fetch` that stands between the SDK and a service as a hostile service would: it sends each request
 * unchanged and changes the answers of the named procedures. Each event of a stream is an answer.
 *
 * @example
 * const fetch = createTamperingFetch({ 'convert.quote': changeData((quote) => ({ ...quote, spender: attacker })) })
 */
export function createTamperingFetch(changes: Changes): typeof globalThis.fetch {
  const counts: Record<string, number> = {}
  return async (input, init) => {
    const response = await fetch(input, init)
    const procedure = new URL(input instanceof Request ? input.url : input).pathname.split('/').at(-1) ?? ''
    const change = changes[procedure] ?? changes['*']
    if (!change) return response
    const body: Json = JSON.parse(typeof init?.body === 'string' ? init.body : '{}')
    const tamper = async (answer: Answer) => {
      const index = counts[procedure] ?? 0
      counts[procedure] = index + 1
      return await change(answer, { procedure, index, input: body })
    }
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return tamperEvents(response, tamper)
    const answer = await tamper((await response.json()) as Answer)
    return Response.json(answer, { status: 'error' in answer ? 400 : 200 })
  }
}

type Tamper = (answer: Answer) => Promise<Answer>

/** Changes the data of the events of a stream. Errors and heartbeats stay unchanged. */
function tamperEvents({ body, headers }: Response, tamper: Tamper): Response {
  let rest = ''
  const change = new TransformStream<string, string>({
    async transform(chunk, controller) {
      const events = `${rest}${chunk}`.split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) controller.enqueue(`${await tamperEvent(event, tamper)}\n\n`)
    },
  })
  const changed = body?.pipeThrough(new TextDecoderStream()).pipeThrough(change).pipeThrough(new TextEncoderStream())
  return new Response(changed ?? null, { headers })
}

async function tamperEvent(event: string, tamper: Tamper): Promise<string> {
  const [, before, text] = /^([^]*^data: ?)(.+)$/m.exec(event) ?? []
  if (before === undefined || text === undefined || /^event:/m.test(event)) return event
  const answer = await tamper({ result: { data: JSON.parse(text) } })
  return `${before}${JSON.stringify('error' in answer ? answer.error.data : answer.result.data)}`
}

/** Creates the change of a result. Errors of the service stay unchanged. */
export function changeData(change: (data: Json, call: TamperedCall) => Json): Change {
  return (answer, call) => ('error' in answer ? answer : { result: { data: change(answer.result.data, call) } })
}

/** Creates an answer with an error of the service. */
export function toErrorAnswer(code: string, fields: Readonly<Record<string, unknown>> = {}): Answer {
  return { error: { message: code, data: { code, retryable: false, action: 'requote', ...fields } } }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** Starts a collector of OpenTelemetry, which receives spans by OTLP over HTTP and answers 200 unless told otherwise. */
export async function startCollector() {
  const spans: Span[] = []
  const received: Pick<IncomingMessage, 'url' | 'headers'>[] = []
  let answer: Answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { resourceSpans } = (await json(request)) as Body
    received.push(request)
    for (const { resource, scopeSpans } of resourceSpans)
      for (const sent of scopeSpans.flatMap(({ spans }) => spans))
        spans.push(toSpan(sent, toFields(resource.attributes)))
    answer(response)
  }
  const server = createServer((request, response) => void receive(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The spans that have arrived. */
    spans,
    /** The requests that have arrived. */
    received,
    /** Replaces how requests are answered. */
    setAnswer: (next: Answer) => void (answer = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Collector = Awaited<ReturnType<typeof startCollector>>

type Answer = (response: ServerResponse) => void

/** A span, with the fields that tests read. */
type Span = Pick<SentSpan, 'name' | 'traceId' | 'spanId' | 'parentSpanId'> & {
  /** The traces that it links to. */
  readonly links: readonly string[]
  readonly attributes: Fields
  readonly resource: Fields
  readonly isFailed: boolean
}

type Fields = Readonly<Record<string, unknown>>

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]

type SentSpan = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: Attributes
  readonly links?: readonly { readonly traceId: string }[]
  readonly status: { readonly code: number }
}

type Body = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

function toSpan({ attributes, links = [], status, ...span }: SentSpan, resource: Fields): Span {
  const linked = links.map(({ traceId }) => traceId)
  return { ...span, links: linked, attributes: toFields(attributes), resource, isFailed: status.code === 2 }
}

function toFields(attributes: Attributes): Fields {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

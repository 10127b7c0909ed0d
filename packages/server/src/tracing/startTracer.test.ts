import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { startTracer } from './startTracer.ts'

type Body = {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Sent[] }[] }[]
}

type Sent = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly links: readonly object[]
}

const request = {
  requestId: '1',
  method: 'GET',
  status: 200,
  keyId: undefined,
  code: undefined,
  transactionHash: undefined,
}

/** Runs work with a tracer, and returns the spans that its collector has received at the end. */
async function trace(
  run: (tracer: ReturnType<typeof startTracer>) => Promise<void>,
  { share = 1 } = {},
): Promise<readonly Sent[]> {
  const spans: Sent[] = []
  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { resourceSpans } = (await json(incoming)) as Body
    for (const { scopeSpans } of resourceSpans) spans.push(...scopeSpans.flatMap(({ spans: sent }) => sent))
    response.end('{}')
  }
  const server = createServer((incoming, response) => void receive(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tracer = startTracer({ endpoint, share, serviceName: 'agio', log: { info() {}, warn() {} } })
  await run(tracer)
  await tracer.stop()
  server.closeAllConnections()
  server.close()
  return spans
}

it('work that a request has started belongs to its trace only until the request ends', async () => {
  const spans = await trace(async ({ begin, inSpan }) => {
    const traced = begin(new Headers())
    const [early, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const later = traced?.run(async () => {
      await inSpan({ name: 'early', attributes: {} }, async () => {})
      early.resolve()
      await ended.promise
      await inSpan({ name: 'late', attributes: {} }, async () => {})
    })
    await early.promise
    traced?.end({ ...request, operation: 'pools.list' })
    ended.resolve()
    await later
  })
  expect(spans.map(({ name }) => name)).toEqual(['early', 'pools.list'])
})

it('work that a traced request has caused is traced and links to it, even if no share is traced', async () => {
  let traceparent = ''
  const [cause] = await trace(async ({ begin }) => {
    const traced = begin(new Headers())
    traceparent = traced?.traceparent ?? ''
    traced?.end({ ...request, operation: 'webhooks.test' })
  })
  const caused = await trace(
    async ({ inTrace }) => {
      await inTrace({ name: 'caused', attributes: {}, cause: traceparent }, async () => {})
      await inTrace({ name: 'by no traced request', attributes: {}, cause: null }, async () => {})
    },
    { share: 0 },
  )
  const { traceId, spanId } = cause as Sent
  expect(caused).toMatchObject([{ name: 'caused', links: [{ traceId, spanId }] }])
})

it.each([
  ['a client', `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`, 1],
  ['a client of a later version', `01-${'c'.repeat(32)}-${'d'.repeat(16)}-01-more`, 1],
  ['no client', undefined, 0],
  ['zeros', `00-${'0'.repeat(32)}-${'d'.repeat(16)}-01`, 0],
  ['other text', 'c'.repeat(32), 0],
])('a traceparent of %s adds a link to its span, if it names one', async (_, traceparent, links) => {
  const spans = await trace(async ({ begin }) => {
    begin(new Headers(traceparent === undefined ? {} : { traceparent }))?.end({ ...request, operation: 'pools.list' })
  })
  expect(spans.map((span) => span.links.length)).toEqual([links])
})

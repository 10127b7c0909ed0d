import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * Starts a proxy between a client and the service, which records each request and can replace its response.
 *
 * @param service the URL of the service
 * @param path what stands before the paths of the service
 */
export async function startHttpProxy(service: string, path = ''): Promise<HttpProxy> {
  const requests: ProxiedRequest[] = []
  let answer: Answer = (_, forward) => forward()

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body: await text(incoming), status: 0, isClosed: false }
    requests.push(request)
    response.on('close', () => {
      request.status = response.statusCode
      request.isClosed = true
    })
    await answer(response, async () => {
      const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...kept } = headers
      const target = `${service}${url.slice(path.length)}`
      const forwarded = await fetch(target, { method, headers: kept as Record<string, string>, body: request.body })
      const retryAfter = forwarded.headers.get('retry-after')
      response.writeHead(forwarded.status, {
        'content-type': forwarded.headers.get('content-type') ?? '',
        ...(retryAfter !== null && { 'retry-after': retryAfter }),
      })
      response.end(await forwarded.text())
    })
  }
  const server = createServer((incoming, response) => void handle(incoming, response).catch(() => response.destroy()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    if (!server.listening) return
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${port}${path}`,
    requests,
    setAnswer: (next) => (answer = next),
    reset() {
      answer = (_, forward) => forward()
      requests.length = 0
    },
    close,
    async reopen() {
      if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening')
    },
    [Symbol.asyncDispose]: close,
  }
}

export type HttpProxy = AsyncDisposable & {
  readonly url: string
  /** All requests since the last reset, in order. */
  readonly requests: readonly ProxiedRequest[]
  /** Sets the answer to all further requests. */
  setAnswer(answer: Answer): void
  /** Forwards all further requests, and forgets those before. */
  reset(): void
  /** Refuses connections, and closes open ones. */
  close(): Promise<void>
  /** Accepts connections again, on the same port. */
  reopen(): Promise<void>
}

type ProxiedRequest = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Whether the response is complete, or its connection closed. */
  readonly isClosed: boolean
  /** Status of the response. */
  readonly status: number
}

/** Responds to a request, with or without the response of the service. */
type Answer = (response: ServerResponse, forward: () => Promise<void>) => void | Promise<void>

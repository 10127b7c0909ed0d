import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'

/** Starts a receiver of webhooks, which answers 204 unless told otherwise, and records what arrives. */
export async function startReceiver() {
  const messages: Message[] = []
  let answer: Answer = (_, response) => response.writeHead(204).end()
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = {
      headers: request.headers as Message['headers'],
      body: await text(request),
      url: request.url ?? '',
    }
    messages.push(message)
    answer(message, response)
  }
  const server = createServer((request, response) => void receive(request, response).catch(() => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/webhooks`,
    /** What has arrived, in order. */
    messages,
    /** The bodies of what has arrived. */
    events: () => messages.map(({ body }) => JSON.parse(body) as Event),
    /** The types of the events that have arrived. */
    types: () => messages.map(({ body }) => (JSON.parse(body) as Event).type),
    setAnswer: (next: Answer) => void (answer = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

export type Message = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly url: string
}

type Event = { readonly type: string; readonly timestamp: string; readonly data: Readonly<Record<string, unknown>> }

type Answer = (message: Message, response: ServerResponse) => void

/** Answers with a status. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_, response) => response.writeHead(code, headers).end('an answer')
}

/** Asserts that a message is signed by each of the secrets, in any order, by the library of the specification. */
export function expectSigned({ body, headers }: Message, secrets: readonly string[]): void {
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(secrets.length)
  expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).toThrow('No matching signature found')
}

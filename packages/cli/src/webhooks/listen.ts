import { stopOnSignal } from '@agio/localnet/commands'
import { isAgioError, type Agio, type WebhookEventType } from '@agio/sdk'
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { CommandError } from '../errors/CommandError.ts'
import { writePrivateJson } from '../files/privateFile.ts'
import { createCursor, findCursor, type Cursor, type CursorState } from './Cursor.ts'
import { print, printError } from '../output/print.ts'

const host = '127.0.0.1'
const stopLimitMs = 15_000
const forwardTimeoutMs = 8000

/**
 * Receives the events of a webhook, verifies them and prints each as one line of JSON, until a signal stops this process. Without
 * a cursor, the webhook ends with the command. With a cursor, it remains: events that were sent meanwhile are delivered again at
 * the next start, and none is printed twice without the mark `repeated`.
 *
 * @throws `CommandError`, and the errors of the service
 */
export async function listen(agio: Agio, options: Options): Promise<void> {
  const stored = options.cursor === undefined ? undefined : await findCursor(options.cursor)
  if (stored && stored.service !== options.service) {
    throw new CommandError('input', `${options.cursor} is the cursor of another service, ${stored.service}`)
  }
  const { promise: prepared, resolve } = Promise.withResolvers<Cursor>()
  // The service may deliver an event before the cursor is ready.
  const server = createServer((request, response) => {
    prepared
      .then((cursor) => handle(request, { cursor, forwardTo: options.forwardTo }))
      .then(
        (status) => response.writeHead(status).end(),
        (error: unknown) => {
          printError(error instanceof Error ? error.message : String(error))
          // The service delivers the event again.
          response.writeHead(500).end()
        },
      )
  })
  const port = await open(server, options.port ?? stored?.port ?? 0)
  const cursor = createCursor(await prepare(agio, { ...options, port, stored }), options.cursor)
  const { webhookId } = cursor.state
  resolve(cursor)
  stopOnSignal(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeIdleConnections()
    await closed
    if (options.cursor === undefined) await agio.api.webhooks.delete.mutate({ id: webhookId })
  }, stopLimitMs)
  printError(`Listening for the events of ${webhookId} on http://${host}:${port}/ (Ctrl-C stops it)`)
  await deliverAgain(agio, cursor)
}

type Options = {
  /** The URL of the service. */
  readonly service: string
  readonly events: readonly WebhookEventType[] | undefined
  /** The port of the receiver. Default: the port of the cursor, or any free port. */
  readonly port: number | undefined
  /** The URL at which the service reaches the receiver. Default: the receiver on this machine. */
  readonly publicUrl: string | undefined
  /** Receives each verified request, too. */
  readonly forwardTo: string | undefined
  /** The file of the acknowledged events. */
  readonly cursor: string | undefined
}

async function open(server: Server, port: number): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new CommandError('input', `Cannot listen on port ${port}: ${(cause as NodeJS.ErrnoException).code}`, {
      cause,
    })
  }
  return (server.address() as AddressInfo).port
}

type Preparing = Options & { readonly port: number; readonly stored: CursorState | undefined }

/** Returns the webhook of the stored cursor if the service still has it, and creates a webhook otherwise. */
async function prepare(agio: Agio, options: Preparing): Promise<CursorState> {
  const { stored, port, events, service } = options
  if (stored && stored.port === port) {
    const { webhooks } = await agio.api.webhooks.list.query()
    if (webhooks.some(({ id }) => id === stored.webhookId)) return stored
    printError(`The service no longer has the webhook ${stored.webhookId}: events since then are lost`)
  }
  const url = options.publicUrl ?? `http://${host}:${port}/`
  const { id, secret = '' } = await agio.api.webhooks.create.mutate({ url, ...(events && { events: [...events] }) })
  const state: CursorState = {
    version: 1,
    service,
    webhookId: id,
    secret,
    port,
    acknowledged: stored?.acknowledged ?? [],
  }
  // It has the secret of the webhook.
  if (options.cursor !== undefined) await writePrivateJson(options.cursor, state)
  return state
}

type Handling = { readonly cursor: Cursor; readonly forwardTo: string | undefined }

/** Verifies, prints, forwards and acknowledges an event. Returns the status of the response. */
async function handle(request: IncomingMessage, { cursor, forwardTo }: Handling): Promise<number> {
  const body = await text(request)
  const headers = request.headers as Record<string, string>
  if (!isSigned(cursor.state.secret, { headers, body })) {
    printError('Refused a request whose signature is invalid')
    return 400
  }
  const id = headers['webhook-id'] ?? ''
  if (cursor.isAcknowledged(id)) return 204
  const isRepeated = await cursor.begin(id)
  print(JSON.stringify({ id, ...(JSON.parse(body) as object), ...(isRepeated && { repeated: true }) }))
  if (forwardTo !== undefined) await forward(forwardTo, { id, body, headers })
  await cursor.acknowledge(id)
  return 204
}

/**
 * Returns whether a request has a signature of a webhook. Its time may be any: the time of a local stack may be ahead of this
 * machine, and a request that is sent again is recognised by its id.
 */
function isSigned(secret: string, { headers, body }: Pick<Message, 'headers' | 'body'>): boolean {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
  const expected = Buffer.from(new Webhook(secret).sign(headers['webhook-id'] ?? '', sentAt, body))
  const signatures = (headers['webhook-signature'] ?? '').split(' ').map((signature) => Buffer.from(signature))
  return signatures.some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected))
}

type Message = { readonly id: string; readonly body: string; readonly headers: Readonly<Record<string, string>> }

async function forward(url: string, { id, body, headers }: Message): Promise<void> {
  const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
  const { ok, status } = await fetch(url, {
    method: 'POST',
    headers: Object.fromEntries(names.map((name) => [name, headers[name] ?? ''])),
    body,
    signal: AbortSignal.timeout(forwardTimeoutMs),
  }).catch(() => ({ ok: false, status: 'no response' }))
  if (!ok) throw new Error(`Cannot forward ${id}: ${status}. The service delivers it again`)
}

const pageSize = 100

/** Asks the service to deliver the events again that were not acknowledged while nothing listened. */
async function deliverAgain(agio: Agio, { state, isAcknowledged }: Cursor): Promise<void> {
  let before: number | undefined
  const missed: string[] = []
  for (;;) {
    const { deliveries } = await agio.api.webhooks.deliveries.query({ id: state.webhookId, before, limit: pageSize })
    const open = deliveries.filter(({ status, id }) => status !== 'delivered' && !isAcknowledged(id))
    missed.push(...open.map(({ id }) => id))
    before = deliveries.at(-1)?.position
    if (deliveries.length < pageSize) break
  }
  // The oldest first. An event whose predecessor is open waits for it.
  for (const deliveryId of missed.toReversed()) {
    await agio.api.webhooks.replay.mutate({ id: state.webhookId, deliveryId }).catch((error: unknown) => {
      // It was delivered meanwhile.
      if (!isAgioError(error) || error.code !== 'svc/webhook-not-found') throw error
    })
  }
}

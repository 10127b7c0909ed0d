import { Client } from '@agio/core'
import { privateKeyPrefix, signAsymmetrically, type ClaimedDelivery } from '@agio/store'
import { Webhook } from 'standardwebhooks'
import { buildConnector, Client as HttpClient } from 'undici'
import { resolveTarget, TargetError, type ResolveHost } from './resolveTarget.ts'

const maxResponseBytes = 20_000

/**
 * Creates a function that sends one message, signed by the Standard Webhooks specification, within a total time limit.
 */
export function createSender({ targets, timeoutMs, resolveHost, now = () => Date.now() }: Options): Sender {
  return async ({ id, url, payload, secrets }, stopped) => {
    const deadline = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped])
    try {
      const target = new URL(url)
      // Name resolution and connecting cannot be aborted. Only the wait for them ends.
      const addresses = await Client.untilAborted(resolveTarget(target, { resolveHost, targets }), { signal: deadline })
      const headers = toHeaders({ id, payload, secrets }, new Date(now()))
      return toResult(await post(target, { addresses, headers, payload, deadline, timeoutMs }))
    } catch (error) {
      if (stopped.aborted) return { outcome: 'aborted' }
      return { outcome: 'failed', error: deadline.aborted ? 'timeout' : classify(error) }
    }
  }
}

type Options = {
  /** Whether only public addresses over https are allowed. */
  readonly targets: 'public' | 'local'
  /** The time limit for name resolution, connection, TLS, request and response together. */
  readonly timeoutMs: number
  readonly resolveHost: ResolveHost
  /** The wall clock of the signatures, in milliseconds. Default: the clock of the system. */
  readonly now?: (() => number) | undefined
}

/** Sends a message and returns its outcome, without the body of the receiver's response. Never rejects. */
export type Sender = (
  message: Pick<ClaimedDelivery, 'id' | 'url' | 'payload' | 'secrets'> & Partial<Pick<ClaimedDelivery, 'traceparent'>>,
  stopped: AbortSignal,
) => Promise<SendResult>

/** The result of one attempt to send a message. */
export type SendResult =
  | { readonly outcome: 'delivered' | 'gone'; readonly status: number }
  | { readonly outcome: 'failed'; readonly status?: number; readonly error: string }
  | { readonly outcome: 'aborted' }

type Message = Pick<ClaimedDelivery, 'id' | 'payload' | 'secrets'>

function toHeaders({ id, payload, secrets }: Message, sentAt: Date): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const sign = (secret: string) =>
    secret.startsWith(privateKeyPrefix)
      ? signAsymmetrically(secret, `${id}.${timestamp}.${payload}`)
      : new Webhook(secret).sign(id, sentAt, payload)
  return {
    'content-type': 'application/json',
    'user-agent': 'Agio-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  }
}

type Post = {
  readonly addresses: readonly string[]
  readonly headers: Record<string, string>
  readonly payload: string
  readonly deadline: AbortSignal
  readonly timeoutMs: number
}

/** Sends a request to the first address that accepts a connection and returns its status. Does not follow redirects. */
async function post({ origin, hostname, pathname, search }: URL, { addresses, headers, payload, ...limits }: Post) {
  const { deadline, timeoutMs } = limits
  const client = new HttpClient(origin, {
    connect: connectTo(addresses, { hostname, timeoutMs }),
    allowH2: false,
    maxHeaderSize: 16_384,
  })
  try {
    const request = { path: `${pathname}${search}`, method: 'POST', headers, body: payload, signal: deadline } as const
    // `request` obeys the signal only once it has a connection.
    const { statusCode, body } = await Client.untilAborted(client.request(request), { signal: deadline })
    await discard(body)
    return statusCode
  } finally {
    // Does not wait for the rest of the response.
    void client.destroy().catch(() => {})
  }
}

type Connect = { readonly hostname: string; readonly timeoutMs: number }

/** Connects to the first address that accepts, without resolving the host name again. TLS verifies the name. */
function connectTo(addresses: readonly string[], { hostname, timeoutMs }: Connect): buildConnector.connector {
  const connect = buildConnector({ allowH2: false, timeout: Math.ceil(timeoutMs / addresses.length) })
  const servername = hostname.startsWith('[') || /^[\d.]+$/.test(hostname) ? '' : hostname
  return (options, callback) => {
    // Nothing is sent before a connection exists, so that no receiver gets a message twice.
    const connectFrom = (index: number) => {
      const address = addresses[index] ?? ''
      connect({ ...options, hostname: address, host: address, servername }, (...result) => {
        if (result[0] !== null && index + 1 < addresses.length) connectFrom(index + 1)
        else callback(...result)
      })
    }
    connectFrom(0)
  }
}

/**
 * Reads and discards a response, so that the receiver can finish sending it. Stops at a size that no normal response
 * has.
 */
async function discard(body: AsyncIterable<Uint8Array>): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxResponseBytes) return
    }
  } catch {
    // Only the status matters, and it has arrived.
  }
}

function toResult(status: number): SendResult {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status }
  if (status === 410) return { outcome: 'gone', status }
  return { outcome: 'failed', status, error: status >= 300 && status < 400 ? 'redirect' : `status-${status}` }
}

function classify(error: unknown): string {
  if (error instanceof TargetError) return error.reason
  const { code = '', name } = error as { readonly code?: string; readonly name?: string }
  if (name === 'TimeoutError' || /TIMEOUT|TIMEDOUT/.test(code)) return 'timeout'
  return /^(ERR_(TLS|SSL)|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO)|HOSTNAME/.test(code) ? 'tls' : 'connection'
}

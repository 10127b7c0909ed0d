// Receives webhooks and verifies them with only Node's built-in modules. The code is easy to port to other languages.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

const toleranceSeconds = 300

// The base64 text after `whsec_` has the bytes of the secret.
const secret = Buffer.from((process.env['WEBHOOK_SECRET'] ?? '').replace('whsec_', ''), 'base64')

/** Returns whether a message has a valid signature and is recent. */
function isVerified(body: string, headers: Record<string, string | undefined>): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  // An old message may be a replay.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest()
  // During a rotation there are several signatures, separated by spaces, each with its version.
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',')
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const handled = new Set<string>()

async function receive(request: IncomingMessage): Promise<number> {
  const body = await text(request)
  const headers = request.headers as Record<string, string | undefined>
  if (!isVerified(body, headers)) return 400
  const id = headers['webhook-id'] ?? ''
  if (handled.has(id)) return 204
  const { type, data } = JSON.parse(body) as { type: string; data: { transactionHash?: string } }
  console.log(type, data.transactionHash ?? '')
  handled.add(id)
  return 204
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(500).end(),
  )
})

server.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1', () => console.log('receiving', server.address()))

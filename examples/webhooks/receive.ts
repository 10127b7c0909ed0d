// Receives webhooks, and verifies them with the package of the specification.
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '')

// In production the ids belong in the database, beside what the event has changed, for as long as events may be repeated.
const handled = new Set<string>()

async function receive(request: IncomingMessage): Promise<number> {
  // The signature is of the bytes as they arrived: parse them after it is verified.
  const body = await text(request)
  const headers = request.headers as Record<string, string>
  try {
    webhook.verify(body, headers)
  } catch {
    return 400
  }
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
    // Any status but 2xx: the service sends the event again.
    () => response.writeHead(500).end(),
  )
})

server.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1', () => console.log('receiving', server.address()))

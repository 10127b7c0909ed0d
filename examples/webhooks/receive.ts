// Receives webhooks and verifies them with the `standardwebhooks` package.
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '')

// In production, store the ids in the database in the transaction that handles the event. Keep them while retries are
// possible.
const handled = new Set<string>()

async function receive(request: IncomingMessage): Promise<number> {
  // The signature covers the received bytes: verify them before you parse them.
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
    // After any status except 2xx, the service sends the event again.
    () => response.writeHead(500).end(),
  )
})

server.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1', () => console.log('receiving', server.address()))

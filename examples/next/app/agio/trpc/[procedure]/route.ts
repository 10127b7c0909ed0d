import { apiKey, url } from '../../../service'

const allowed: ReadonlySet<string> = new Set([
  'chains.list',
  'convert.quote',
  'convert.receipt',
  'approval.plan',
  'transaction.buildConvert',
  'transaction.status',
  'transaction.track',
])

/** Forwards what the card calls, and adds the key. Before you deploy it, limit each address, as the server of vite-wagmi does. */
export async function POST(request: Request, { params }: { params: Promise<{ procedure: string }> }) {
  const { procedure } = await params
  if (!allowed.has(procedure)) return new Response(null, { status: 404 })
  if (request.headers.get('sec-fetch-site') === 'cross-site') return new Response(null, { status: 403 })
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': apiKey }
  return await fetch(`${url}/trpc/${procedure}`, { method: 'POST', headers, body: await request.text() })
}

import type { LocalChain } from '@agio/localnet'
import { Client } from 'undici'
import { validInputs } from '../harness/validInputs.ts'

/** Sends previews and quotes by several clients to each of the services in turn, until it ends. */
export function startLoad(key: string, chain: LocalChain) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const { 'convert.preview': preview, 'convert.quote': quote } = validInputs(chain)
  const bodies = [
    ['convert/preview', preview],
    ['convert/quote', quote],
  ] as const
  const services = new Map<string, Promise<void>[]>()
  const outcomes: Record<string, number> = {}
  let sent = 0
  async function send(client: Client): Promise<void> {
    const [path, input] = bodies[sent++ % bodies.length] as (typeof bodies)[number]
    const request = { method: 'POST', path: `/api/v1/${path}`, headers, body: JSON.stringify(input) } as const
    const outcome = await client.request(request).then(
      async ({ statusCode, body }) => {
        const { code } = (await body.json()) as { readonly code?: string }
        return [statusCode, code].filter(Boolean).join(' ')
      },
      (error: unknown) => String((error as NodeJS.ErrnoException).code ?? error),
    )
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  return {
    /** Adds a service, as a load balancer does once it is ready. */
    add(url: string): void {
      services.set(url, [])
      const clients = Array.from({ length: 4 }, async () => {
        const client = new Client(url)
        while (services.has(url)) await send(client)
        await client.close()
      })
      services.set(url, clients)
    },
    /** Removes a service, once its requests have been answered. */
    async remove(url: string): Promise<void> {
      const clients = services.get(url) ?? []
      services.delete(url)
      await Promise.all(clients)
    },
    sent: () => sent,
    /** Returns the number of requests by outcome. */
    async end(): Promise<Readonly<Record<string, number>>> {
      await Promise.all([...services.keys()].map((url) => this.remove(url)))
      return outcomes
    },
  }
}

// Calls the service by each link of tRPC and by the options of TanStack Query, and prints what arrived.
import type { AppRouter } from '@agio/sdk/trpc'
import { QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, TRPCClientError } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'

declare const process: { readonly argv: readonly string[] }
const [, , service = '', apiKey = ''] = process.argv
const options = { url: `${service}/trpc`, headers: { 'x-api-key': apiKey } }
const links = [httpLink(options), httpBatchLink(options), httpBatchStreamLink(options)]

for (const link of links) {
  const client = createTRPCClient<AppRouter>({ links: [link] })
  const queryClient = new QueryClient()
  const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient })
  const { pools } = await queryClient.fetchQuery(trpc.pools.list.queryOptions())
  const { chains } = await client.chains.list.query()
  const error: unknown = await client.transaction.broadcast.mutate({ signedTransaction: '0x02' }).catch((e) => e)
  const refused = error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data : undefined
  const field = refused?.code === 'svc/invalid-transaction' ? refused.field : undefined
  console.log(JSON.stringify({ pools: pools.length, chains: chains.length, code: refused?.code, field }))
}

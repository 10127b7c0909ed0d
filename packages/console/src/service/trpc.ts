import type { AppRouter } from '@agio/sdk/trpc'
import { QueryClient } from '@tanstack/react-query'
import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { unretriedAgio } from './agio.ts'

/**
 * The cache of the page. Failed queries are not retried automatically, and polling stops in hidden tabs. Without a network,
 * queries fail instead of waiting for it.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5000, refetchIntervalInBackground: false, networkMode: 'always' },
  },
})

/** Calls the procedures through the SDK client. The tRPC errors have the SDK's errors as their cause. */
const agioLink: TRPCLink<AppRouter> =
  () =>
  ({ op }) =>
    observable((observer) => {
      const controller = new AbortController()
      const signal = op.signal ? AbortSignal.any([op.signal, controller.signal]) : controller.signal
      const call = async () => {
        try {
          observer.next({ result: { type: 'data', data: await callProcedure(op.path, op.input, signal) } })
          observer.complete()
        } catch (error) {
          observer.error(TRPCClientError.from(error as Error))
        }
      }
      void call()
      return () => controller.abort()
    })

/**
 * The queries of the service for TanStack Query.
 *
 * @example
 * const { data, error } = useQuery(trpc.pools.list.queryOptions({ chainId }))
 */
export const trpc = createTRPCOptionsProxy<AppRouter>({
  client: createTRPCClient<AppRouter>({ links: [agioLink] }),
  queryClient,
})

type Procedure = { query(input: unknown, options: { readonly signal: AbortSignal }): Promise<unknown> }

async function callProcedure(path: string, input: unknown, signal: AbortSignal): Promise<unknown> {
  const procedure = path
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], unretriedAgio.api)
  return await (procedure as Procedure).query(input, { signal })
}

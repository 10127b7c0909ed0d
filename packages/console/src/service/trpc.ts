import {
  queryOptions,
  QueryClient,
  skipToken,
  type QueryKey,
  type SkipToken,
  type UseQueryOptions,
} from '@tanstack/react-query'
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

/**
 * The queries of the service for TanStack Query.
 *
 * @example
 * const { data, error } = useQuery(trpc.pools.list.queryOptions({ chainId }))
 */
export const trpc = createQueries(unretriedAgio.api, [])

type Procedure = { query(input: unknown, options: { readonly signal: AbortSignal }): Promise<unknown> }

/** The queries of a group of procedures, and of one procedure. */
type Queries<Api> = { readonly [Name in keyof Api]: QueriesOf<Api[Name]> } & {
  /** The cache key of all queries of the group. */
  pathKey(): QueryKey
}

type QueriesOf<Member> = Member extends { query(...args: infer Args): Promise<infer Output> }
  ? ProcedureQueries<Args[0], Output>
  : Queries<Member>

type ProcedureQueries<Input, Output> = {
  queryKey(input?: Input): QueryKey
  queryOptions(
    ...args: undefined extends Input
      ? [input?: Input | SkipToken, options?: Options<Output>]
      : [input: Input | SkipToken, options?: Options<Output>]
  ): UseQueryOptions<Output> & { readonly queryKey: QueryKey }
}

type Options<Output> = Omit<UseQueryOptions<Output>, 'queryKey' | 'queryFn'>

/** Returns the queries of the procedures below a path of the client. */
function createQueries<Api extends object>(api: Api, path: readonly string[]): Queries<Api> {
  return new Proxy(api, {
    get(_, name) {
      if (name === 'pathKey') return () => [...path]
      if (name === 'queryKey') return (input: unknown) => toKey(path, input)
      if (name === 'queryOptions')
        return (input: unknown, options?: object) =>
          queryOptions({
            ...options,
            queryKey: toKey(path, input === skipToken ? undefined : input),
            queryFn:
              input === skipToken
                ? skipToken
                : ({ signal }: { readonly signal: AbortSignal }) =>
                    (api as unknown as Procedure).query(input, { signal }),
          })
      return createQueries((api as Record<string, object>)[String(name)] ?? {}, [...path, String(name)])
    },
  }) as Queries<Api>
}

function toKey(path: readonly string[], input: unknown): QueryKey {
  return input === undefined ? [...path] : [...path, input]
}

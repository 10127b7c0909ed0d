import {
  queryOptions,
  QueryClient,
  skipToken,
  type QueryKey,
  type SkipToken,
  type UseQueryOptions,
} from '@tanstack/react-query'
import type { Agio } from '@agio/sdk'

/**
 * Creates the cache of a page. Failed queries are not retried automatically, and polling stops in hidden tabs. Without a network,
 * queries fail instead of waiting for it.
 */
export function createQueryClient(meta: PageMeta): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 5000, refetchIntervalInBackground: false, networkMode: 'always', meta },
    },
  })
}

/** What the queries of a page need. */
type PageMeta = {
  /** The operations of the service. They are not retried: the page shows an error at once, and its next request may succeed. */
  readonly api: Agio['api']
  readonly servicePath: string
}

/** Returns what `createQueryClient` gave to a query. */
export function toPageMeta(meta: Readonly<Record<string, unknown>> | undefined): PageMeta {
  return meta as PageMeta
}

/**
 * The queries of the service for TanStack Query. They have no client of their own: the cache of the page gives it to them.
 *
 * @example
 * const { data, error } = useQuery(trpc.pools.list.queryOptions({ chainId }))
 */
export const trpc = createQueries<Agio['api']>([])

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

/** Returns the queries of the procedures below a path. */
function createQueries<Api>(path: readonly string[]): Queries<Api> {
  return new Proxy(
    {},
    {
      get(_, name) {
        if (name === 'pathKey') return () => [...path]
        if (name === 'queryKey') return (input: unknown) => toKey(path, input)
        if (name !== 'queryOptions') return createQueries([...path, String(name)])
        return (input: unknown, options?: object) =>
          queryOptions({
            ...options,
            queryKey: toKey(path, input === skipToken ? undefined : input),
            queryFn:
              input === skipToken
                ? skipToken
                : ({ signal, meta }) => findProcedure(toPageMeta(meta), path).query(input, { signal }),
          })
      },
    },
  ) as Queries<Api>
}

function findProcedure({ api }: PageMeta, path: readonly string[]): Procedure {
  return path.reduce<unknown>((group, name) => (group as Readonly<Record<string, unknown>>)[name], api) as Procedure
}

function toKey(path: readonly string[], input: unknown): QueryKey {
  return input === undefined ? [...path] : [...path, input]
}

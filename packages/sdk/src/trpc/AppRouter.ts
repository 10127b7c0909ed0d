import type {
  TRPC_ERROR_CODE_NUMBER,
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server'
import type { AgioApi } from '../api/AgioApi.ts'
import type { ErrorAction, ErrorCode, StreamEvent, StreamTopics } from '../api/schemas.ts'
import type { AgioErrorDetails } from '../errors/AgioError.ts'

/**
 * The router type of the service, for any tRPC client.
 *
 * @example
 * import { createTRPCClient, httpBatchLink } from '@trpc/client'
 * import type { AppRouter } from '@agio/sdk/trpc'
 *
 * const api = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${url}/trpc`, headers: { 'x-api-key': apiKey } })] })
 *
 * @example
 * import { createTRPCContext } from '@trpc/tanstack-react-query'
 *
 * export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>()
 */
export type AppRouter = ToRouter<AgioApi & StreamApi>

/** The subscriptions of the service. They send the events of `GET /api/v1/stream`, with the topic in the data. */
type StreamApi = {
  readonly stream: {
    readonly watch: { subscribe(input: WatchInput): AsyncIterable<{ id: string; data: WatchData }, void, void> }
  }
}

type WatchInput = {
  topics: StreamTopics
  /** Id of the last received event. The stream continues after it. */
  lastEventId?: string | undefined
}

/** The data of an event of `stream.watch`, narrowed by `topic`. */
export type WatchData = WithTopic<Exclude<StreamEvent, { event: 'end' }>>

type WithTopic<Event extends StreamEvent> = Event extends { event: infer Topic; data: infer Data }
  ? Data & { topic: Topic }
  : never

/** The tRPC router type for a tree of calls. */
export type ToRouter<Tree> = TRPCBuiltRouter<RootTypes, ToRecord<Tree>>

/** The `data` of a tRPC error, narrowed by `code`. */
export type AgioErrorData = { [Code in ErrorCode]: ErrorData<Code> }[ErrorCode]

type RootTypes = {
  ctx: object
  meta: object
  errorShape: { message: string; code: TRPC_ERROR_CODE_NUMBER; data: AgioErrorData }
  transformer: false
}

type ErrorData<Code extends ErrorCode> = AgioErrorDetails<Code> & {
  code: Code
  /** URL of the documentation of the code, relative to the service. */
  type: string
  /** Whether the same request can succeed later. */
  retryable: boolean
  /** What to do next. */
  action: ErrorAction
  /** HTTP status of the response. */
  httpStatus: number
  /** Path of the procedure. Absent for the error of a whole batch. */
  path?: string | undefined
  /** Id of the request, as in the header X-Request-Id. */
  requestId?: string | undefined
}

/** The tRPC procedures for a tree of calls. */
type ToRecord<Tree> = { [Name in keyof Tree]: ToProcedure<Tree[Name]> }

type ToProcedure<Entry> = Entry extends { query(...args: infer Args): Promise<infer Output> }
  ? TRPCQueryProcedure<Definition<Args, Output>>
  : Entry extends { mutate(...args: infer Args): Promise<infer Output> }
    ? TRPCMutationProcedure<Definition<Args, Output>>
    : Entry extends { subscribe(...args: infer Args): infer Output extends AsyncIterable<unknown, void, unknown> }
      ? TRPCSubscriptionProcedure<Definition<Args, Output>>
      : ToRecord<Entry>

type Definition<Args extends readonly unknown[], Output> = { input: Args[0]; output: Output; meta: object }

import { Errors, type ErrorCode } from '@agio/core'
import { initTRPC } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import type { Context } from './Context.ts'
import { toErrorShape } from './toErrorShape.ts'

/** The REST operation of a procedure, its errors in addition to the common errors, and its example request. */
export type Meta = Omit<OpenApiMeta, 'openapi'> & {
  readonly openapi?: NonNullable<OpenApiMeta['openapi']> & { readonly operationId: string }
  readonly errors: readonly ErrorCode[]
  /** The most requests to the nodes that a call causes, besides reads that all calls share. Default: none. */
  readonly nodeRequests?: number
  /** Default: the required fields and the fields with a default, each with the example of the field. */
  readonly example?: Readonly<Record<string, unknown>>
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Responses contain no stack traces.
    isDev: false,
    sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 40_000 } },
    errorFormatter: ({ shape, error, input, ctx }) =>
      toErrorShape(error, { path: shape.data.path, requestId: ctx?.requestId, input, chains: ctx?.chains }),
  })

/** Creates routers and procedures with the context and the metadata of the service. */
export const { router, procedure } = t

/** A procedure that requires the admin key. The edge checks it first; this check holds if the edge is bypassed. */
export const adminProcedure = procedure.use(async ({ ctx, next }) => {
  if (ctx.isAdmin) return await next()
  throw Errors.unauthorized({ reason: 'the admin key is required' })
})

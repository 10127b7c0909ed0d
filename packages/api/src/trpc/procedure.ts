import { ServiceError, type ErrorCode } from '@agio/core'
import { initTRPC } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import type { Context } from '../trpc/Context.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'

/** How a procedure appears over REST, and which failures of its own it can answer. */
export type Meta = OpenApiMeta & { readonly errors: readonly ErrorCode[] }

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Stacks never leave the service.
    isDev: false,
    errorFormatter({ shape, error, input, ctx }) {
      const { status, message, ...failure } = toErrorBody(error, input, ctx?.chains)
      return {
        code: shape.code,
        message,
        data: { ...failure, httpStatus: status, path: shape.data.path, ...(ctx && { requestId: ctx.requestId }) },
      }
    },
  })

export const { router, procedure } = t

/** A procedure of operators. The edge asks for the admin key; what it does not ask for it is refused here. */
export const adminProcedure = procedure.use(async ({ ctx, next }) => {
  if (ctx.isAdmin) return await next()
  throw new ServiceError('svc/unauthorized', 'Cannot answer the request: it needs the admin key', {})
})

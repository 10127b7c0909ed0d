import { Errors, type ErrorCode, type Operator, type Scope } from '@agio/core'
import { initTRPC } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import type { Context } from './Context.ts'
import { toErrorShape } from './toErrorShape.ts'

/** The REST operation of a procedure, its scope and its example request. */
export type Meta = Omit<OpenApiMeta, 'openapi'> & {
  readonly openapi?: NonNullable<OpenApiMeta['openapi']> & { readonly operationId: string }
  /** The scope that an API key needs; `none` if every key may call the operation. Only admin operations omit it. */
  readonly scope?: Scope.Scope | 'none'
  /** The errors in addition to the common errors. Default: none. */
  readonly errors?: readonly ErrorCode[]
  /** The role that an operator needs. Each admin procedure has one. */
  readonly role?: Operator.Role
  /** Whether the operation accepts the header `Idempotency-Key`. Its resolver is `idempotent`. */
  readonly isIdempotent?: true
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
      toErrorShape(error, {
        path: shape.data.path,
        requestId: ctx?.requestId,
        trace: ctx?.exchange.trace,
        input,
        chains: ctx?.chains,
      }),
  })

/** Creates routers and procedures with the context and the metadata of the service. */
export const { router, procedure } = t

/** Returns the description of a REST operation: its method and path, its tag, its id and its texts. */
export function rest(endpoint: `${Method} /${string}`, tag: string, { operationId, ...texts }: OperationTexts) {
  const [method, path] = endpoint.split(' ') as [Method, `/${string}`]
  return { method, path, operationId, tags: [tag], ...texts }
}

type Method = 'GET' | 'POST' | 'PATCH'
type OperationTexts = { readonly operationId: string; readonly summary: string; readonly description: string }

/** A procedure for operators with its role. The edge checks it first; this check holds if the edge is bypassed. */
export const adminProcedure = procedure.use(async ({ ctx, meta, path, next }) => {
  if (!ctx.operator) throw Errors.unauthorized({ reason: 'the admin key is required' })
  if (!meta?.role) throw Errors.internal({ action: `run ${path}`, reason: 'it declares no role' })
  assertRole(ctx.operator, meta.role)
  return await next()
})

/** Asserts that an operator has a role. @throws `svc/forbidden-role` */
export function assertRole({ roles }: Operator.Operator, role: Operator.Role): void {
  if (!roles.includes(role)) throw Errors.forbiddenRole({ role })
}

import type { AnyProcedure } from '@trpc/server'

/**
 * Prepares the call of a procedure: its own middlewares, in their order, as tRPC itself runs them.
 *
 * tRPC copies its options twice for each middleware, property by property; here they are the same object all the way, with
 * what a middleware hands on.
 *
 * @returns a function that answers what the procedure answers, and throws what it throws
 */
export function prepareProcedure(path: string, procedure: AnyProcedure): (call: ProcedureCall) => Promise<unknown> {
  const { middlewares, meta, type } = procedure._def as unknown as Definition

  async function run(index: number, options: Options): Promise<Result> {
    const middleware = middlewares[index]
    if (!middleware) throw new Error(`Cannot run ${path}: its last middleware has called another`)
    return await middleware({
      ...options,
      next: (changed) =>
        run(index + 1, changed ? { ...options, ...changed, ctx: merge(options.ctx, changed.ctx) } : options),
    })
  }
  return async ({ context, input }) => {
    const getRawInput = async () => input
    const options = { path, type, meta, ctx: context, getRawInput, input: undefined, signal: undefined, batchIndex: 0 }
    const result = await run(0, options)
    if (result.ok) return result.data
    throw result.error
  }
}

export type ProcedureCall = { readonly context: object; readonly input: unknown }

type Options = Readonly<Record<string, unknown>> & { readonly ctx: object; readonly input: unknown }

type Result = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: Error }

type Middleware = (options: Options & { next(changed?: Partial<Options>): Promise<Result> }) => Promise<Result>

type Definition = { readonly middlewares: readonly Middleware[]; readonly meta: object; readonly type: string }

function merge(context: object, changed: object | undefined): object {
  return changed ? { ...context, ...changed } : context
}

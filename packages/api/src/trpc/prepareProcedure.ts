import { TRPCError, type AnyProcedure, type AnyRouter } from '@trpc/server'
import type { z } from 'zod'

/** Prepares all procedures of a router, by their operation. */
export function prepareProcedures(router: AnyRouter): ReadonlyMap<string, PreparedProcedure> {
  const procedures = Object.entries(router._def.procedures as Readonly<Record<string, AnyProcedure>>)
  return new Map(
    procedures.map(([operation, procedure]) => [
      operation,
      { type: procedure._def.type, run: prepareProcedure(operation, procedure) },
    ]),
  )
}

export type PreparedProcedure = {
  readonly type: AnyProcedure['_def']['type']
  /** Returns and throws what the procedure does. */
  readonly run: (call: ProcedureCall) => Promise<unknown>
}

/**
 * Prepares calls of a procedure: parse the input, run the resolver, validate the output.
 *
 * A procedure with its own middlewares runs all of them in order, as tRPC does. One without is called directly: tRPC makes
 * each step a middleware and copies its options twice per step.
 *
 * @returns a function that returns and throws what the procedure does
 */
export function prepareProcedure(path: string, procedure: AnyProcedure): (call: ProcedureCall) => Promise<unknown> {
  const definition = procedure._def as unknown as Definition
  return isPlain(definition) ? prepareSteps(path, definition) : prepareMiddlewares(path, definition)
}

export type ProcedureCall = { readonly context: object; readonly input: unknown }

type Options = Readonly<Record<string, unknown>> & { readonly ctx: object; readonly input: unknown }

type Result = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: Error }

type Middleware = ((options: Options & { next(changed?: Partial<Options>): Promise<Result> }) => Promise<Result>) & {
  /** The kind of a middleware that tRPC created; absent on those of the procedure and on the resolver. */
  readonly _type?: string
}

type Definition = {
  readonly inputs: readonly z.ZodType[]
  readonly output?: z.ZodType
  readonly resolver: (options: Options) => unknown
  /** The last of them is the resolver. */
  readonly middlewares: readonly Middleware[]
  readonly meta: object
  readonly type: string
}

function isPlain({ inputs, middlewares }: Definition): boolean {
  const steps = middlewares.slice(0, -1).map(({ _type }) => _type)
  return inputs.length <= 1 && steps.every((step) => step === 'input' || step === 'output')
}

function prepareSteps(path: string, { inputs, output, resolver, meta, type }: Definition) {
  const [schema] = inputs
  return async ({ context, input }: ProcedureCall): Promise<unknown> => {
    const parsed = schema && parse(schema, input, { code: 'BAD_REQUEST' })
    const data = await resolver({ path, type, meta, ctx: context, input: parsed, signal: undefined, batchIndex: 0 })
    return output ? parse(output, data, failedOutput) : data
  }
}

const failedOutput = { code: 'INTERNAL_SERVER_ERROR', message: 'Output validation failed' } as const

function parse(schema: z.ZodType, value: unknown, failure: Pick<TRPCError, 'code'> & { message?: string }): unknown {
  try {
    return schema.parse(value)
  } catch (cause) {
    throw new TRPCError({ ...failure, cause })
  }
}

function prepareMiddlewares(path: string, { middlewares, meta, type }: Definition) {
  async function run(index: number, options: Options): Promise<Result> {
    const middleware = middlewares[index]
    if (!middleware) throw new Error(`Cannot run ${path}: its last middleware called next`)
    return await middleware({
      ...options,
      next: (changed) =>
        run(index + 1, changed ? { ...options, ...changed, ctx: merge(options.ctx, changed.ctx) } : options),
    })
  }
  return async ({ context, input }: ProcedureCall): Promise<unknown> => {
    const getRawInput = async () => input
    const options = { path, type, meta, ctx: context, getRawInput, input: undefined, signal: undefined, batchIndex: 0 }
    const result = await run(0, options)
    if (result.ok) return result.data
    throw result.error
  }
}

function merge(context: object, changed: object | undefined): object {
  return changed ? { ...context, ...changed } : context
}

import type { Client } from '@agio/core'
import { TRPCError, type AnyProcedure, type AnyRouter } from '@trpc/server'
import type { z } from 'zod'
import type { RequestTrace } from '../http/RequestTrace.ts'
import { listProcedures, type ListedProcedure } from './listProcedures.ts'

/** Prepares all procedures of a router, by their operation. */
export function prepareProcedures(router: AnyRouter): ReadonlyMap<string, PreparedProcedure> {
  const procedures = [...listProcedures(router)]
  return new Map(
    procedures.map(([operation, { type, procedure }]) => {
      const run = prepareProcedure(operation, procedure)
      return [operation, { type, run: (call) => runTraced(call, run) }]
    }),
  )
}

/** Runs a procedure, as a span if its request is traced. */
function runTraced(call: ProcedureCall, run: PreparedProcedure['run']): Promise<unknown> {
  const trace = call.context.exchange?.trace
  return trace ? trace.inSpan('procedure', () => run(call)) : run(call)
}

/** A procedure that can be called without the router of tRPC. */
export type PreparedProcedure = {
  readonly type: ListedProcedure['type']
  /** Runs the procedure: returns its output, or throws its error. */
  readonly run: (call: ProcedureCall) => Promise<unknown>
}

/**
 * Prepares calls of a procedure: parse the input, run the resolver, validate the output.
 *
 * A procedure with its own middlewares runs all of them in order, as tRPC does. A procedure without middlewares is called
 * directly, which is faster: tRPC makes each step a middleware and copies its options twice per step.
 *
 * @returns a function that runs the procedure: it returns the output, or throws the error
 */
export function prepareProcedure(path: string, procedure: AnyProcedure): (call: ProcedureCall) => Promise<unknown> {
  const definition = procedure._def as unknown as Definition
  return isPlain(definition) ? prepareSteps(path, definition) : prepareMiddlewares(path, definition)
}

/** The context and the input of one call. */
export type ProcedureCall = { readonly context: ProcedureContext; readonly input: unknown }

type ProcedureContext = {
  readonly client?: Client.Client | undefined
  readonly exchange?: { readonly trace?: RequestTrace | undefined }
  readonly [field: string]: unknown
}

type Options = Readonly<Record<string, unknown>> & { readonly ctx: object; readonly input: unknown }

type Result = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: Error }

type Middleware = ((options: Options & { next(changed?: Partial<Options>): Promise<Result> }) => Promise<Result>) & {
  /** The kind of a middleware that tRPC created; absent on the procedure's own middlewares and on the resolver. */
  readonly _type?: string
}

type Definition = {
  readonly inputs: readonly z.ZodType[]
  readonly output?: z.ZodType
  readonly resolver: (options: ResolverOptions) => unknown
  /** The last middleware is the resolver. */
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
    const data = await resolver(new ResolverOptions({ path, type, meta }, context, parsed))
    return output ? parse(output, data, failedOutput) : data
  }
}

/** The options of a resolver. A getter of a class is free; a getter of an object literal costs a microsecond per call. */
class ResolverOptions {
  readonly path: string
  readonly type: string
  readonly meta: object
  readonly ctx: ProcedureContext
  readonly input: unknown
  readonly batchIndex = 0

  constructor(
    { path, type, meta }: Pick<ResolverOptions, 'path' | 'type' | 'meta'>,
    ctx: ProcedureContext,
    input: unknown,
  ) {
    this.path = path
    this.type = type
    this.meta = meta
    this.ctx = ctx
    this.input = input
  }
  /** The abort signal of the client. It is only created when a procedure reads it. */
  get signal(): AbortSignal | undefined {
    return this.ctx.client?.signal
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
    const { client } = context
    const options = {
      path,
      type,
      meta,
      ctx: context,
      getRawInput,
      input: undefined,
      signal: client?.signal,
      batchIndex: 0,
    }
    const result = await run(0, options)
    if (result.ok) return result.data
    throw result.error
  }
}

function merge(context: object, changed: object | undefined): object {
  return changed ? { ...context, ...changed } : context
}

import type { TRPCError } from '@trpc/server'
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi'
import type { Context } from '../Context.ts'
import { appRouter } from '../router.ts'

/** A request that was read and admitted, with the path that its route is called by. */
export type RestCall = {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  readonly context: Context
}

/**
 * Runs a REST call through trpc-to-openapi's handler, which is built once.
 *
 * Its request and response are stand-ins: the edge has read the body already, and wraps the answer in the envelope itself.
 *
 * @returns the procedure's answer as JSON text
 * @throws what the procedure threw, with the input that it was called with
 */
export function createRestHandler(): (call: RestCall) => Promise<string> {
  const outcomes = new WeakMap<object, Outcome>()
  const handler = createOpenApiNodeHttpHandler<typeof appRouter, never, never>({
    router: appRouter,
    createContext: async ({ req }: { req: object }) => contextOf(req),
    onError: ({ error, input, req }: { error: TRPCError; input: unknown; req: object }) => {
      outcomes.set(req, { error, input })
    },
  })

  return async ({ context, path, ...call }) => {
    // It looks for a web `Request` by its prototype, and reads these properties of it.
    const request = Object.create(Request.prototype, {
      ...toPropertyDescriptors({
        ...call,
        url: path,
        headers: new Headers({ 'content-type': 'application/json' }),
        context,
      }),
    }) as object
    const text = await new Promise<string>((resolve, reject) => {
      const response = { statusCode: 0, setHeader: () => undefined, end: resolve }
      handler(request as never, response as never).catch(reject)
    })
    const failed = outcomes.get(request)
    if (failed) throw new RestCallError(failed)
    return text
  }
}

/** A procedure that threw, with the input that it was called with. */
export class RestCallError extends Error {
  override readonly name = 'RestCallError'
  readonly input: unknown

  constructor({ error, input }: Outcome) {
    super(error.message, { cause: error })
    this.input = input
  }
}

type Outcome = { readonly error: TRPCError; readonly input: unknown }

function contextOf(request: object): Context {
  return (request as { readonly context: Context }).context
}

function toPropertyDescriptors(values: object): PropertyDescriptorMap {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { value: value as unknown, writable: true, enumerable: true },
    ]),
  )
}

import { deepStrictEqual } from 'node:assert/strict'
import { appRouter, type Context, type RestHandler } from '@agio/api'
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi'

type Outcome = { readonly error: unknown; readonly input: unknown }

/**
 * Handles REST calls with the handler of trpc-to-openapi, on stand-ins for its request and response: our own handler must
 * behave the same.
 */
export function createLibraryHandler(): RestHandler {
  const outcomes = new WeakMap<object, Outcome>()
  const handler = createOpenApiNodeHttpHandler<typeof appRouter, never, never>({
    router: appRouter,
    createContext: async ({ req }: { req: object }) => (req as { readonly context: Context }).context,
    onError: ({ error, input, req }: { error: unknown; input: unknown; req: object }) => {
      outcomes.set(req, { error, input })
    },
  })
  return async ({ context, path, endpoint, query, body, input }) => {
    // The library recognises a web `Request` by its prototype, and reads these properties.
    const headers = new Headers({ 'content-type': 'application/json' })
    const { signal } = new AbortController()
    const properties = { method: endpoint.method, query, body, url: path, headers, signal, context }
    const request = Object.create(Request.prototype, describeAll(properties)) as object
    const text = await new Promise<string>((resolve, reject) => {
      const response = { statusCode: 0, setHeader: () => undefined, end: resolve }
      handler(request as never, response as never).catch(reject)
    })
    const failed = outcomes.get(request)
    if (failed === undefined) return text
    // The library reports parameters of the path as they are encoded.
    if (endpoint.parameters.length === 0) deepStrictEqual(failed.input, input)
    throw failed.error
  }
}

function describeAll(values: object): PropertyDescriptorMap {
  const describe = (value: unknown) => ({ value, writable: true, enumerable: true })
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, describe(value)]))
}

import { appRouter, type AppRouter } from '@agio/api'
import { createTRPCUntypedClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import type { Target } from './Target.ts'
import type { Caller, Failure } from './Caller.ts'
import { expectDocumented } from './openApi.ts'

const procedures = appRouter._def.procedures as unknown as Readonly<Record<string, { readonly _def: { type: string } }>>

/** Whether a procedure is a mutation of tRPC. */
export function isMutation(operation: string): boolean {
  return procedures[operation]?._def.type === 'mutation'
}

/** A caller over tRPC, whose responses must match the same documented schemas as those over REST. */
export function createTrpcCaller({ url, apiKey }: Pick<Target, 'url' | 'apiKey'>): Caller {
  const options = { url: `${url}/trpc`, headers: { 'x-api-key': apiKey }, maxItems: 10 }
  const byGet = createTRPCUntypedClient<AppRouter>({ links: [httpBatchLink(options)] })
  const byPost = createTRPCUntypedClient<AppRouter>({ links: [httpBatchLink({ ...options, methodOverride: 'POST' })] })
  return async (operation, input) => {
    // A signature must not be in a URL.
    const client = 'permit' in input ? byPost : byGet
    try {
      const call = isMutation(operation) ? client.mutation(operation, input) : client.query(operation, input)
      const data = (await call) as Record<string, unknown>
      expectDocumented(operation, 200, { success: true, data })
      return { status: 200, data }
    } catch (error) {
      if (!(error instanceof TRPCClientError) || !error.data) throw error
      const { httpStatus, path: _, ...failure } = error.data as Failure & { httpStatus: number }
      expectDocumented(operation, httpStatus, { success: false, error: error.message, ...failure })
      return { status: httpStatus, failure: { ...failure, error: error.message } }
    }
  }
}

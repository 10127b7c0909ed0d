import type { AppRouter } from '@agio/api'
import { createTRPCUntypedClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import type { Target } from './Target.ts'
import type { Caller, Failure } from './Caller.ts'
import { expectDocumented } from './openApi.ts'

const mutations = new Set([
  'transaction.broadcast',
  'transaction.broadcastConvert',
  'swap.execute',
  'keys.rotate',
  'webhooks.create',
  'webhooks.delete',
  'webhooks.rotate',
  'webhooks.replay',
  'webhooks.test',
  'webhooks.watch',
])

/** A caller over tRPC, whose responses must match the same documented schemas as those over REST. */
export function createTrpcCaller({ url, apiKey }: Pick<Target, 'url' | 'apiKey'>): Caller {
  const options = { url: `${url}/trpc`, headers: { 'x-api-key': apiKey }, maxItems: 10 }
  const byGet = createTRPCUntypedClient<AppRouter>({ links: [httpBatchLink(options)] })
  const byPost = createTRPCUntypedClient<AppRouter>({
    links: [httpBatchLink({ ...options, methodOverride: 'POST' })],
  })
  return async (operation, input) => {
    // A signature must not be in a URL.
    const client = 'permit' in input ? byPost : byGet
    try {
      const call = mutations.has(operation) ? client.mutation(operation, input) : client.query(operation, input)
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

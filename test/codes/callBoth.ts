import { createRestCaller } from '../contract/createRestCaller.ts'
import { createTrpcCaller } from '../contract/createTrpcCaller.ts'
import { apiKey } from '../stack/settingsFor.ts'
import type { Failed } from './Failed.ts'

/** Calls an operation that must fail, over REST and tRPC at once. Both responses are validated against openapi.json. */
export async function callBoth(
  url: string,
  [operation, input]: readonly [string, Readonly<Record<string, unknown>>],
  key = apiKey,
): Promise<Readonly<Record<'REST' | 'tRPC', Failed>>> {
  const call = async (createCaller: typeof createRestCaller): Promise<Failed> => {
    const { status, failure } = await createCaller({ url, apiKey: key })(operation, input)
    if (!failure) throw new Error(`Cannot provoke a failure of ${operation}: it succeeds`)
    return { status, failure }
  }
  const [REST, tRPC] = await Promise.all([call(createRestCaller), call(createTrpcCaller)])
  return { REST, tRPC }
}

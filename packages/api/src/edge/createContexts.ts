import type { Caller } from '../admission/Caller.ts'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { Quotes } from '../quote/createQuotes.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import type { CallerStreams } from '../stream/CallerStreams.ts'
import type { Context } from '../procedure/Context.ts'

/** Returns the function that creates the context of an admitted request, over REST, tRPC and streams. */
export function createContexts({
  chains,
  store,
  quotes,
  webhookTargets,
  now = Date.now,
}: createContexts.Settings): CreateContext {
  return ({ request, requestId }, { isAdmin, keyId }, streams) => ({
    chains,
    store,
    quotes,
    webhookTargets,
    client: request,
    streams,
    isAdmin,
    keyId,
    requestId,
    isInputInUrl: request.method === 'GET',
    now,
  })
}

export declare namespace createContexts {
  type Settings = Pick<AppSettings, 'chains' | 'store' | 'now' | 'webhookTargets'> & { readonly quotes: Quotes }
}

/** Creates the context of an admitted request, with the streams of its caller if it opens one. */
export type CreateContext = (exchange: HttpExchange, caller: Caller, streams?: CallerStreams) => Context

import type { Context } from './Context.ts'

/** Returns a context for work that several clients share, or that goes on after its client has disconnected. */
export function withoutClient(context: Context): Context {
  return { ...context, client: undefined }
}

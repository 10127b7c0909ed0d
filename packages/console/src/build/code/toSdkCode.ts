import { formatLiteral } from './formatLiteral.ts'
import { toFields } from './operations.ts'

/** The mutations. */
const mutations: ReadonlySet<string> = new Set([
  'admin.backups.create',
  'admin.keys.create',
  'admin.keys.erase',
  'admin.keys.revoke',
  'admin.keys.rotate',
  'admin.keys.update',
  'admin.quotes.pause',
  'admin.quotes.resume',
  'admin.quotes.revokeSecrets',
  'admin.quotes.rotateSecret',
  'keys.rotate',
  'swap.execute',
  'transaction.broadcast',
  'transaction.broadcastConvert',
  'webhooks.create',
  'webhooks.delete',
  'webhooks.rotate',
  'webhooks.replay',
  'webhooks.test',
  'webhooks.watch',
])

/**
 * Returns a program that makes a call with `@agio/sdk`. It reads the keys from its environment.
 *
 * @param origin URL of the service
 */
export function toSdkCode(call: toSdkCode.Call, origin: string): string {
  const client = call.procedure.startsWith('admin.') ? admin : api
  const [before, after] = client.wrap(call)
  const hasInput = Object.keys(toFields(call.input)).length > 0
  const input = hasInput ? formatLiteral(call.input, before.length + after.length) : ''
  return [client.create(formatLiteral(origin)), `${before}${input}${after}`, 'console.log(result)\n'].join('\n')
}

export declare namespace toSdkCode {
  type Call = { readonly procedure: string; readonly input: unknown }
}

type Client = {
  /** Returns the statements that create the client. */
  create(url: string): string
  /** Returns the code before and after the input of a call. */
  wrap(call: toSdkCode.Call): readonly [before: string, after: string]
}

const api: Client = {
  create: (url) => `import { createAgio } from '@agio/sdk'

const agio = createAgio({ url: ${url}, apiKey: process.env.AGIO_API_KEY })`,
  wrap: (call) =>
    isQuote(call)
      ? ['const result = await agio.quote(', ')']
      : [`const result = await agio.api.${call.procedure}.${kindOf(call)}(`, ')'],
}

const admin: Client = {
  create: (url) => `import { createAgioAdmin } from '@agio/sdk/admin'

const admin = createAgioAdmin({ url: ${url}, adminKey: process.env.AGIO_ADMIN_KEY ?? '' })`,
  wrap: (call) => [`const result = await ${call.procedure}.${kindOf(call)}(`, ')'],
}

/** Returns whether `agio.quote` can make the call. It requires the chain, which is optional for the procedure. */
function isQuote({ procedure, input }: toSdkCode.Call): boolean {
  return procedure === 'convert.quote' && 'chainId' in toFields(input)
}

function kindOf({ procedure }: toSdkCode.Call): 'mutate' | 'query' {
  return mutations.has(procedure) ? 'mutate' : 'query'
}

import { toFields } from './toCurl.ts'

const maxLineLength = 120

/**
 * Formats JSON as a TypeScript literal in the style of the documentation: single quotes, and several lines only if one
 * line is too long.
 *
 * @param around number of characters before and after the literal in its line
 */
export function formatLiteral(value: unknown, around = 0, indent = ''): string {
  if (typeof value === 'string') return formatText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const line = formatLine(value)
  if (indent.length + around + line.length <= maxLineLength) return line
  const inner = `${indent}  `
  const parts = listParts(value).map(([key, part]) => `${inner}${key}${formatLiteral(part, key.length + 1, inner)},\n`)
  const [open, close] = bracketsOf(value)
  return `${open}\n${parts.join('')}${indent}${close}`
}

function formatLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return formatLiteral(value)
  const parts = listParts(value).map(([key, part]) => `${key}${formatLine(part)}`)
  const [open, close] = bracketsOf(value)
  const space = parts.length > 0 && open === '{' ? ' ' : ''
  return `${open}${space}${parts.join(', ')}${space}${close}`
}

/** Lists the values of an object or an array, each with its prefix. */
function listParts(value: object): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((part: unknown) => ['', part])
  return Object.entries(value).map(([name, part]) => [`${formatName(name)}: `, part])
}

function bracketsOf(value: object): readonly [string, string] {
  return Array.isArray(value) ? ['[', ']'] : ['{', '}']
}

function formatName(name: string): string {
  // In a literal, this name would set the prototype.
  if (name === '__proto__') return `['${name}']`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : formatText(name)
}

function formatText(text: string): string {
  const quoted = JSON.stringify(text)
  if (count(text, "'") > count(text, '"')) return quoted
  return `'${quoted
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

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

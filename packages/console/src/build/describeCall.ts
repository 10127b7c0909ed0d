import type { CallResponse } from '../service/calls.ts'

/** A REST operation, with the fields that a request needs. */
export type Operation = {
  /** Its procedure, such as `pools.get`. */
  readonly procedure: string
  /** HTTP method in upper case. */
  readonly method: string
  /** Path with parameters in braces: `/api/v1/pools/{poolAddress}`. */
  readonly path: string
  /** Names of the parameters in the path. */
  readonly inPath: readonly string[]
  readonly hasBody: boolean
  /** Name of the header for the key. */
  readonly keyHeader: string | undefined
}

/** The parts of an OpenAPI document that name the operations. */
export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly name: string }>> }
}

type DocumentedOperation = {
  readonly 'x-procedure'?: string
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: object
  readonly security?: readonly Readonly<Record<string, unknown>>[]
}

/** Returns the operations of a document that have a procedure. */
export function parseOperations({ paths, components }: OpenApiDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const procedure = operation['x-procedure']
      if (procedure === undefined) return []
      const [scheme = ''] = Object.keys(operation.security?.[0] ?? {})
      return {
        procedure,
        method: method.toUpperCase(),
        path,
        inPath: (operation.parameters ?? []).filter((each) => each.in === 'path').map(({ name }) => name),
        hasBody: operation.requestBody !== undefined,
        keyHeader: components.securitySchemes[scheme]?.name,
      }
    }),
  )
}

/**
 * Finds the operation for an input. If a procedure has two operations, it returns the operation whose path parameters
 * the input has.
 */
function findOperation(
  operations: readonly Operation[],
  { procedure, input }: { readonly procedure: string; readonly input: unknown },
): Operation | undefined {
  const fields: object = toFields(input)
  return operations
    .filter((operation) => operation.procedure === procedure && operation.inPath.every((name) => name in fields))
    .toSorted((a, b) => b.inPath.length - a.inPath.length)[0]
}

/** Returns the fields of an input, or no fields if it is not an object. */
function toFields(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
}

/** The environment variables for the keys, by header. The text of a command never contains a key. */
const keyVariables: Readonly<Record<string, string>> = {
  'X-API-Key': '$AGIO_API_KEY',
  'X-Admin-Key': '$AGIO_ADMIN_KEY',
}

/**
 * Returns the curl command for a call in a POSIX shell, or undefined for a procedure without a REST operation.
 *
 * @example
 * toCurl({ procedure: 'chains.list', input: {} }, { url: 'http://127.0.0.1:3000', operations })
 * // curl -s http://127.0.0.1:3000/api/v1/chains \
 * //   -H "X-API-Key: $AGIO_API_KEY"
 */
export function toCurl(call: toCurl.Call, { url, operations }: toCurl.Options): string | undefined {
  const operation = findOperation(operations, call)
  if (!operation) return undefined
  const { method, hasBody, keyHeader } = operation
  const fields = Object.entries(toFields(call.input)).filter(([name]) => !operation.inPath.includes(name))
  const hasQuery = !hasBody && fields.length > 0
  const query = hasQuery ? `?${fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}` : ''
  return [
    `curl -s ${quoteForShell(`${url}${toPath(operation, call.input)}${query}`)}`,
    ...(method === 'GET' || (method === 'POST' && hasBody) ? [] : [`-X ${method}`]),
    ...(keyHeader === undefined ? [] : [`-H "${keyHeader}: ${keyVariables[keyHeader] ?? ''}"`]),
    ...(hasBody ? ["-H 'Content-Type: application/json'", `-d ${quoteForShell(toJson(fields))}`] : []),
  ].join(' \\\n  ')
}

export declare namespace toCurl {
  type Call = { readonly procedure: string; readonly input: unknown }
  type Options = {
    /** The URL of the service, without a slash at its end. */
    readonly url: string
    readonly operations: readonly Operation[]
  }
}

function toPath({ path }: Operation, input: unknown): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(toFields(input)[name]))
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // An unpaired UTF-16 surrogate cannot be encoded in a URL.
  return encodeURIComponent(text.toWellFormed())
}

const maxJsonLength = 100

function toJson(fields: readonly (readonly [string, unknown])[]): string {
  const body = Object.fromEntries(fields)
  const line = JSON.stringify(body)
  return line.length > maxJsonLength ? JSON.stringify(body, undefined, 2) : line
}

/** Quotes a text as one word for a POSIX shell. Text without special characters is returned unchanged. */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_/.:][A-Za-z0-9_/.:@%+=,-]*$/.test(text)) return text
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

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

/** The outcome of a call in one word, and the code of its error. */
type Outcome = {
  readonly label: string
  readonly tone: 'neutral' | 'positive' | 'danger'
  readonly code?: string | undefined
}

/** Describes the outcome of a call, `Pending` without a response. */
export function describeResponse(response: CallResponse | undefined): Outcome {
  if (!response) return { label: 'Pending', tone: 'neutral' }
  const { status, isAborted, text } = response
  if (isAborted) return { label: 'Cancelled', tone: 'neutral' }
  if (status === undefined) return { label: 'No response', tone: 'danger' }
  if (status < 400) return { label: String(status), tone: 'positive' }
  return { label: String(status), tone: 'danger', code: /"code":\s*"(svc\/[a-z-]+)"/.exec(text)?.[1] }
}

/** Formats a JSON response with one line for each value. Returns undefined for a body that is not JSON or is cut. */
export function formatResponse({ text, isCut }: Pick<CallResponse, 'text' | 'isCut'>): string | undefined {
  if (isCut) return undefined
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return undefined
  }
}

/** Formats a number of bytes: `812 B`, `12.3 kB`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

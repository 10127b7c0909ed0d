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
export function toFields(input: unknown): Readonly<Record<string, unknown>> {
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

const maxLineLength = 100

function toJson(fields: readonly (readonly [string, unknown])[]): string {
  const body = Object.fromEntries(fields)
  const line = JSON.stringify(body)
  return line.length > maxLineLength ? JSON.stringify(body, undefined, 2) : line
}

/** Quotes a text as one word for a POSIX shell. Text without special characters is returned unchanged. */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_/.:][A-Za-z0-9_/.:@%+=,-]*$/.test(text)) return text
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

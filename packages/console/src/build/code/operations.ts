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
export function findOperation(
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

/** An operation of the REST interface, as far as a request needs it. */
export type Operation = {
  /** Its procedure, such as `pools.get`. */
  readonly procedure: string
  /** In capitals. */
  readonly method: string
  /** With its parameters in braces: `/api/v1/pools/{poolAddress}`. */
  readonly path: string
  /** Names of the parameters in the path. */
  readonly inPath: readonly string[]
  readonly hasBody: boolean
  /** Name of the header that has the key. */
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
export function readOperations({ paths, components }: OpenApiDocument): readonly Operation[] {
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

/** Finds the operation that takes an input: of two with one procedure, the one whose path the input fills. */
export function findOperation(
  operations: readonly Operation[],
  { procedure, input }: { readonly procedure: string; readonly input: unknown },
): Operation | undefined {
  const fields: object = toFields(input)
  return operations
    .filter((operation) => operation.procedure === procedure && operation.inPath.every((name) => name in fields))
    .toSorted((a, b) => b.inPath.length - a.inPath.length)[0]
}

/** The fields of an input; none if it is not an object. */
export function toFields(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
}

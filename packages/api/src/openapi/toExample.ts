/** The part of a JSON schema from which examples are created. */
export type ExampleSchema = {
  readonly $ref?: string
  readonly example?: unknown
  readonly const?: unknown
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: ExampleSchema
  readonly properties?: Readonly<Record<string, ExampleSchema>>
  readonly required?: readonly string[]
}

/**
 * Returns an example of a schema, created from the examples of its properties.
 *
 * @param isIncluded whether an optional property with a schema is part of the example
 * @throws `Error` if a property has neither an example nor a value that can serve as one
 */
export function toExample(schema: ExampleSchema, options: toExample.Options): unknown {
  if (schema.example !== undefined) return schema.example
  if (schema.$ref !== undefined) return toExample(resolve(schema.$ref, options), options)
  const value = schema.const ?? schema.default ?? schema.enum?.[0]
  if (value !== undefined) return value
  if (schema.items) return [toExample(schema.items, options)]
  if (!schema.properties) throw new Error(`Cannot create an example: ${JSON.stringify(schema)} has no example`)
  const included = Object.entries(schema.properties).filter(
    ([name, property]) => schema.required?.includes(name) === true || options.isIncluded(property),
  )
  return Object.fromEntries(included.map(([name, property]) => [name, toExample(property, options)]))
}

export declare namespace toExample {
  type Options = {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly isIncluded: (property: ExampleSchema) => boolean
  }
}

function resolve(ref: string, { schemas }: toExample.Options): ExampleSchema {
  return schemas[ref.slice('#/components/schemas/'.length)] as ExampleSchema
}

/** The part of JSON Schema that openapi.json uses. */
export type JsonSchema = {
  readonly $ref?: string
  readonly description?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly pattern?: string
  readonly default?: unknown
}

/** Returns the TypeScript type of a schema. Text that starts with `0x` is `` `0x${string}` ``, as in viem. */
export function printType(schema: JsonSchema, indent = ''): string {
  if (schema.$ref !== undefined && schema.enum === undefined) return toTypeName(schema.$ref)
  if ('const' in schema) return printLiteral(schema.const)
  if (schema.enum) return schema.enum.map(printLiteral).join(' | ')
  const members = schema.oneOf ?? schema.anyOf
  if (members) return members.map((member) => printType(member, indent)).join(' | ')
  switch (schema.type) {
    case 'array':
      return printArray(printType(schema.items ?? {}, indent))
    case 'object':
      return printObject(schema, indent)
    case 'string':
      return schema.pattern?.startsWith('^0x') ? '`0x${string}`' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

/** Returns a documentation comment, on one line if it fits. */
export function printComment(lines: readonly string[], indent = ''): string {
  const text = lines.filter((line) => line !== '')
  if (text.length === 0) return ''
  const [first] = text
  if (text.length === 1) return `${indent}/** ${first} */\n`
  return `${indent}/**\n${text.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

/** Returns the name of the type that a reference points to. */
export function toTypeName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function printLiteral(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function printArray(item: string): string {
  return / \| /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function printObject({ properties, required = [], additionalProperties }: JsonSchema, indent: string): string {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? printType(additionalProperties, indent) : 'unknown'
    return `{ [name: string]: ${value} }`
  }
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const comment = printComment(describe(schema), inner)
    const isOptional = !required.includes(name) || 'default' in schema
    const type = printType(schema, inner)
    return `${comment}${inner}${name}${isOptional ? '?' : ''}: ${type}${isOptional && type !== 'unknown' ? ' | undefined' : ''}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

function describe({ description = '', default: value }: JsonSchema): readonly string[] {
  return [description, value === undefined ? '' : `@default ${JSON.stringify(value)}`]
}

// Writes the types of the SDK, of the operations and of their errors, from the router and its document. Run by `pnpm generate`.
import { mkdir, writeFile } from 'node:fs/promises'
import type { AnyProcedure, AnyRouter } from '@trpc/server'
import { z } from 'zod'
import { createOpenApiDocument } from '../src/openapi/createOpenApiDocument.ts'
import { appRouter } from '../src/router/appRouter.ts'
import { printComment, printType, toTypeName, type JsonSchema } from './printType.ts'

type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } }
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } }
  }
}

type Procedure = {
  readonly path: string
  readonly kind: 'query' | 'mutate'
  readonly isIdempotent: boolean
  readonly operation: Operation
  readonly input: JsonSchema | undefined
  readonly output: JsonSchema
}

const document = createOpenApiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}
const { schemas } = document.components
const procedures = listProcedures()
const isAdmin = ({ path }: Procedure) => path.startsWith('admin.')
const isError = (name: string) => schemas[name]?.properties?.['success'] !== undefined
const apiComments: Readonly<Record<string, string>> = {
  AgioApi: 'All operations, as procedures of a typed tRPC client.',
  AdminApi: 'The operations of operators, as procedures of a typed tRPC client.',
}

const streamSchemas = ['StreamTopics', 'StreamEvent'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
const publicNames = namesIn([procedures.filter((procedure) => !isAdmin(procedure)).map(toSchemas), streamSchemas])
const adminNames = namesIn(procedures.filter(isAdmin).map(toSchemas)).filter((name) => !publicNames.includes(name))

await write('api/schemas.ts', printSchemas([...publicNames, 'ErrorCode', 'ErrorAction']))
const publicApi = printApi(
  'AgioApi',
  procedures.filter((procedure) => !isAdmin(procedure)),
  publicNames,
)
await write(
  'api/AgioApi.ts',
  `${publicApi}\n${printIdempotentMutations()}\n${printValues('WebhookEventType', 'webhookEventTypes')}`,
)
await write('admin/adminSchemas.ts', printSchemas(adminNames))
await write('admin/AdminApi.ts', printApi('AdminApi', procedures.filter(isAdmin), adminNames))
await write('errors/ErrorDetails.ts', printErrors())

function listProcedures(): readonly Procedure[] {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  return Object.entries((appRouter as AnyRouter)._def.procedures as Record<string, AnyProcedure>).flatMap(
    ([path, procedure]) => {
      const { meta, type, inputs } = procedure._def as {
        readonly meta?: { openapi?: { operationId: string }; isIdempotent?: boolean }
        readonly type: string
        readonly inputs: readonly unknown[]
      }
      // Over REST this is a stream of events. The SDK reads it itself.
      if (type === 'subscription') return []
      const operation = operations.find(({ operationId }) => operationId === meta?.openapi?.operationId)
      if (!operation) throw new Error(`Cannot find the operation of ${path}`)
      const kind = type === 'mutation' ? 'mutate' : 'query'
      return [
        {
          path,
          kind,
          isIdempotent: meta?.isIdempotent ?? false,
          operation,
          input: toInput(operation, inputs[0] as z.ZodType | undefined),
          output: toOutput(operation),
        },
      ]
    },
  )
}

/** Returns the schema of an input. Parameters and body are one object, as over tRPC. */
function toInput({ parameters = [], requestBody }: Operation, input: z.ZodType | undefined): JsonSchema | undefined {
  const named = parameters.filter((parameter) => parameter.in !== 'header')
  const body = requestBody?.content['application/json'].schema
  if (!input || (named.length === 0 && !body)) return undefined
  // A path parameter is required in the document, even if its field has a default.
  const { required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const fields = Object.fromEntries(named.map(({ name, schema }) => [name, schema]))
  return { type: 'object', properties: { ...fields, ...body?.properties }, required }
}

function toOutput({ operationId, responses }: Operation): JsonSchema {
  const { data } = responses[200].content['application/json'].schema.properties ?? {}
  if (!data) throw new Error(`Cannot read the response of ${operationId}`)
  return data
}

function toSchemas({ input, output }: Procedure): readonly unknown[] {
  return [input, output]
}

/** Returns the names of all schemas that other schemas use, sorted. */
function namesIn(used: readonly unknown[]): readonly string[] {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('$ref' in value && typeof value.$ref === 'string') {
      const name = toTypeName(value.$ref)
      if (names.has(name)) return
      names.add(name)
      visit(schemas[name])
    }
    for (const entry of Object.values(value)) visit(entry)
  }
  visit(used)
  return [...names].sort()
}

function printIdempotentMutations(): string {
  const paths = procedures.filter(({ isIdempotent }) => isIdempotent).map(({ path }) => `'${path}'`)
  const comment = printComment(['The mutations that accept the header `Idempotency-Key`'])
  return `${comment}export const idempotentMutations: ReadonlySet<string> = new Set([${paths.join(', ')}])\n`
}

/** Prints the values of an enumeration, for pages that list them. */
function printValues(name: string, constant: string): string {
  const values = schemas[name]?.enum ?? []
  const comment = printComment([`All values of \`${name}\`.`])
  return `${comment}export const ${constant}: readonly ${name}[] = ${JSON.stringify(values)}\n`
}

function printSchemas(names: readonly string[]): string {
  const imported = listImports(names)
  const types = [...new Set(names)].sort().map((name) => {
    const schema = schemas[name] ?? {}
    return `${printComment([schema.description ?? ''])}export type ${name} = ${printType(schema)}\n`
  })
  return [imported, ...types].filter((part) => part !== '').join('\n')
}

/** Prints the import of the schemas that the named schemas use and do not contain. */
function listImports(names: readonly string[]): string {
  return printImport(
    names.map((name) => schemas[name]),
    names,
  )
}

/** Prints the import of the schemas that some schemas refer to, besides the named ones. */
function printImport(values: readonly unknown[], names: readonly string[]): string {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('$ref' in value && typeof value.$ref === 'string') used.add(toTypeName(value.$ref))
    for (const entry of Object.values(value)) visit(entry)
  }
  visit(values)
  const others = [...used].filter((name) => !names.includes(name)).sort()
  return others.length === 0 ? '' : `import type { ${others.join(', ')} } from '../api/schemas.ts'\n`
}

/** Prints the input types and the tree of the procedures. */
function printApi(name: string, listed: readonly Procedure[], own: readonly string[]): string {
  const inputs = listed.flatMap(({ operation, input }) => {
    if (!input) return []
    const comment = printComment([`Input of \`${operation.operationId}\`.`])
    return [`${comment}export type ${toInputName(operation)} = ${printType(input)}\n`]
  })
  const tree = printTree(listed, '')
  const text = [...inputs, `${printComment([apiComments[name] ?? ''])}export type ${name} = ${tree}\n`].join('\n')
  const uses = (schema: string) => new RegExp(`\\b${schema}\\b`).test(text.replaceAll(/\/\*\*[^]*?\*\//g, ''))
  const shared = publicNames.filter((schema) => !own.includes(schema) || name === 'AgioApi').filter(uses)
  const ownUsed = name === 'AgioApi' ? [] : own.filter(uses)
  return [
    `import type { Mutation, Query } from '${name === 'AgioApi' ? './' : '../api/'}procedures.ts'\n`,
    shared.length > 0
      ? `import type { ${shared.join(', ')} } from '${name === 'AgioApi' ? './' : '../api/'}schemas.ts'\n`
      : '',
    ownUsed.length > 0 ? `import type { ${ownUsed.join(', ')} } from './adminSchemas.ts'\n` : '',
    `\n${text}`,
  ].join('')
}

function printTree(listed: readonly Procedure[], prefix: string, indent = ''): string {
  const inner = `${indent}  `
  const nouns = new Set(listed.map(({ path }) => path.slice(prefix.length).split('.')[0] ?? ''))
  const fields = [...nouns].map((noun) => {
    const path = `${prefix}${noun}`
    const procedure = listed.find((one) => one.path === path)
    if (procedure) return printProcedure(procedure, noun, inner)
    const below = listed.filter((one) => one.path.startsWith(`${path}.`))
    // The groups of the admin interface are directly below its root.
    return `${inner}readonly ${noun}: ${printTree(below, `${path}.`, inner)}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

function printProcedure({ kind, operation, input, output }: Procedure, noun: string, indent: string): string {
  const { summary, description = '', deprecated } = operation
  const comment = printComment([`${summary}. ${description}`, deprecated === true ? '@deprecated' : ''], indent)
  const type = kind === 'query' ? 'Query' : 'Mutation'
  return `${comment}${indent}readonly ${noun}: ${type}<${input ? toInputName(operation) : 'void'}, ${printType(output, indent)}>\n`
}

function toInputName({ operationId }: Operation): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Input`
}

function printErrors(): string {
  const common = new Set(['success', 'error', 'type', 'retryable', 'action', 'requestId', 'traceId', 'code'])
  const details = Object.entries(schemas)
    .filter(([name, { properties }]) => isError(name) && properties?.['code']?.const !== undefined)
    .map(([, { description = '', properties: all = {}, required = [] }]) => {
      const properties = Object.fromEntries(Object.entries(all).filter(([field]) => !common.has(field)))
      return {
        description,
        code: String(all['code']?.const),
        schema: { type: 'object', properties, required } as const,
      }
    })
  const rows = details.map(
    ({ description, code, schema }) => `${printComment([description], '  ')}  '${code}': ${printType(schema, '  ')}\n`,
  )
  const imports = printImport(details, [])
  return `${imports === '' ? '' : `${imports}\n`}${printComment(['The fields of each service error besides the common fields, by code.'])}export type ErrorDetails = {\n${rows.join('')}}\n`
}

async function write(name: string, text: string): Promise<void> {
  const header = '// Generated from the router by `pnpm generate`. Do not edit.\n\n'
  const target = new URL(`../../sdk/src/${name}`, import.meta.url)
  await mkdir(new URL('.', target), { recursive: true })
  await writeFile(target, `${header}${text}`)
}

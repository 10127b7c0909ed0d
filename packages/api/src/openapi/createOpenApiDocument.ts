import { errorCodes, type ErrorCode } from '@agio/core'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { countedAdminOperation, isAdminOperation } from '../admission/createAdmit.ts'
import { describedHeaders } from '../http/responseHeaders.ts'
import { idempotencyHeader } from '../procedure/idempotent.ts'
import { version } from '../health/toHealth.ts'
import { listRestEndpoints, type RestEndpoint } from '../router/restEndpoints.ts'
import { appRouter } from '../router/appRouter.ts'
import { createErrorResponses, commonHeaders, keyedHeaders, keySecurity, refer } from './errorResponses.ts'
import { capitalize, errorRef, errorSchemaName, toErrorSchema } from './errorSchemas.ts'
import { createHealthPaths, listHealthSchemas } from './healthPaths.ts'
import { contact, introduction, license, tags } from './introduction.ts'
import { createStreamPath, listStreamSchemas } from './streamPath.ts'
import { referToEnums, sharedEnums } from './sharedEnums.ts'

/**
 * Returns the OpenAPI document of the service. It extends the document of trpc-to-openapi by the envelope, the errors
 * by status, the headers, the paths of health, examples, and the path with an optional parameter.
 */
export function createOpenApiDocument(): OpenApiDocument {
  const document = generateOpenApiDocument(appRouter, {
    title: 'Agio',
    description: introduction,
    version,
    baseUrl: '/',
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key' },
      bearer: { type: 'http', scheme: 'bearer', description: 'API key, for clients that cannot send `X-API-Key`' },
      adminKey: { type: 'apiKey', in: 'header', name: 'X-Admin-Key', description: 'Admin key, for operators' },
    },
  }) as unknown as OpenApiDocument
  Object.assign(document.info, { contact, license })
  document.tags = tags
  for (const endpoint of listRestEndpoints(appRouter)) completeOperation(document, endpoint)
  document.components.headers = describedHeaders
  Object.assign(document.paths, createHealthPaths(commonHeaders, refer('Retry-After')))
  Object.assign(
    document.paths,
    createStreamPath(createErrorResponses(streamErrors, document.components.responses ?? {})),
  )
  document.components.schemas = sortKeys({
    ...listOwnSchemas(document),
    ...listHealthSchemas(),
    ...listStreamSchemas(),
    ...Object.fromEntries(listUsedErrors(document).map((code) => [errorSchemaName(code), toErrorSchema(code)])),
  })
  document.components.responses = sortKeys(document.components.responses ?? {})
  const { components, ...rest } = addEnums(referToEnums(removeSafeIntegerBounds(document))) as OpenApiDocument
  return { ...rest, components: { ...components, schemas: sortKeys({ ...components.schemas, ...sharedEnums }) } }
}

/** The part of OpenAPI 3.1 that this module writes. */
export type OpenApiDocument = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  servers?: readonly { readonly url: string }[]
  tags?: readonly object[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    schemas: Record<string, unknown>
    responses?: Record<string, object>
    headers?: object
  }
}

/** An operation of the document. */
export type Operation = {
  operationId: string
  readonly tags?: readonly string[]
  readonly summary: string
  /** The name of the procedure, over tRPC and in usage. */
  'x-procedure'?: string
  /** The role that an operator needs. */
  'x-role'?: string
  /** The scope that the API key needs; absent for operations of operators. */
  'x-scope'?: string
  security?: object[]
  parameters?: {
    name: string
    in: string
    required?: boolean
    schema: Record<string, unknown>
  }[]
  requestBody?: { required?: boolean; readonly content: { readonly 'application/json': JsonContent } }
  responses: Record<string, unknown>
  readonly [field: string]: unknown
}

type JsonContent = { readonly schema: ExampleSchema & { additionalProperties?: boolean }; example?: unknown }

const bodyErrors: readonly ErrorCode[] = ['svc/request-timeout', 'svc/payload-too-large', 'svc/unsupported-media-type']

const commonErrors: readonly ErrorCode[] = [
  'svc/invalid-request',
  'svc/unauthorized',
  'svc/rate-limited',
  'svc/expectation-failed',
  'svc/headers-too-large',
  'svc/storage-unavailable',
  'svc/internal',
]

/** The errors of requests with an API key. */
const keyErrors: readonly ErrorCode[] = [
  'svc/key-revoked',
  'svc/key-expired',
  'svc/address-forbidden',
  'svc/origin-forbidden',
  'svc/forbidden-scope',
  'svc/quota-exceeded',
]

const upstreamErrors: readonly ErrorCode[] = ['svc/upstream-error', 'svc/upstream-unavailable', 'svc/upstream-timeout']

const streamErrors: readonly ErrorCode[] = [
  ...commonErrors,
  ...keyErrors,
  'svc/invalid-address',
  'svc/unsupported-chain',
  'svc/streams-full',
]

const idempotencyErrors: readonly ErrorCode[] = ['svc/idempotency-key-in-use', 'svc/idempotency-key-reused']

// `svc/not-found`: for an unknown key, and for every path of `admin/*` if the service has no operators.
const adminErrors: readonly ErrorCode[] = ['svc/forbidden-role', 'svc/not-found']

const idempotencyParameter = {
  name: idempotencyHeader,
  in: 'header',
  required: false,
  description:
    'Random text of at least 122 bits, such as a UUID of version 4. For 24 hours, requests with the same key and input have the outcome of the first one. See `/docs/guide/idempotency`',
  schema: {
    type: 'string',
    description: 'Random text of at least 122 bits',
    minLength: 22,
    maxLength: 255,
    example: '8f14e45fceea167a5a36dedd4bea2543',
  },
}

function completeOperation(document: OpenApiDocument, endpoint: RestEndpoint): void {
  const item = document.paths[endpoint.path] ?? {}
  const operation = item[endpoint.method.toLowerCase()]
  if (!operation) throw new Error(`Cannot document ${endpoint.operation}: trpc-to-openapi has not generated it`)
  for (const parameter of operation.parameters ?? []) completeParameter(parameter, endpoint)
  // This operation counts and limits an API key that is sent with the admin key.
  const isKeyed = !isAdminOperation(endpoint.operation) || endpoint.operation === countedAdminOperation
  operation['x-procedure'] = endpoint.operation
  if (endpoint.role) operation['x-role'] = endpoint.role
  if (endpoint.scope !== undefined) operation['x-scope'] = endpoint.scope
  operation.security = isAdminOperation(endpoint.operation) ? [{ adminKey: [] }] : keySecurity
  const respondWith = (codes: readonly ErrorCode[]) =>
    createErrorResponses(codes, (document.components.responses ??= {}))
  if (endpoint.isIdempotent) operation.parameters = [...(operation.parameters ?? []), idempotencyParameter]
  if (operation.requestBody) completeBody(document, operation.requestBody, endpoint)
  operation.responses = {
    200: { ...envelope(document, operation.responses['200']), headers: isKeyed ? keyedHeaders : commonHeaders },
    ...respondWith(listErrors(operation, endpoint)),
  }
  if (!endpoint.optional) return
  const { name } = endpoint.optional
  const short = { ...operation, operationId: `${operation.operationId}OfDefault${capitalize(name.replace(/Id$/, ''))}` }
  short.parameters = (operation.parameters ?? []).filter((parameter) => parameter.name !== name)
  short.responses = { 200: operation.responses['200'], ...respondWith(listErrors(short, endpoint)) }
  document.paths[endpoint.path.slice(0, -`/{${name}}`.length)] = { get: short }
}

function completeParameter(parameter: NonNullable<Operation['parameters']>[number], { fields }: RestEndpoint): void {
  const field = fields[parameter.name]
  if (parameter.in === 'path' || field?.isRequired) parameter.required = true
  else if (field?.default !== undefined) parameter.schema = { ...parameter.schema, default: field.default }
}

function completeBody(
  { components }: OpenApiDocument,
  body: NonNullable<Operation['requestBody']>,
  { isBodyOptional, example }: RestEndpoint,
): void {
  if (isBodyOptional) body.required = false
  const content = body.content['application/json']
  // trpc-to-openapi omits this, although the input schemas are strict.
  content.schema.additionalProperties = false
  const isIncluded = (property: ExampleSchema) => property.default !== undefined
  content.example = example ?? toExample(content.schema, { schemas: components.schemas, isIncluded })
}

/** Lists the errors of an operation, from its own list and its input. */
function listErrors(
  { parameters, requestBody }: Operation,
  { method, errors, operation, fields, isIdempotent }: RestEndpoint,
): readonly ErrorCode[] {
  const input = JSON.stringify([parameters, requestBody])
  return [
    ...commonErrors,
    ...(isAdminOperation(operation) ? adminErrors : [...keyErrors, ...upstreamErrors]),
    ...(operation === countedAdminOperation ? keyErrors : []),
    ...(input.includes('0x[0-9a-fA-F]{40}$') ? (['svc/invalid-address'] as const) : []),
    ...(Object.hasOwn(fields, 'chainId') ? (['svc/unsupported-chain'] as const) : []),
    ...(method === 'GET' ? [] : bodyErrors),
    ...(isIdempotent ? idempotencyErrors : []),
    ...errors,
  ]
}

// trpc-to-openapi's own error schemas describe bodies that the service never sends.
function listOwnSchemas({ components }: OpenApiDocument): Record<string, unknown> {
  return Object.fromEntries(Object.entries(components.schemas).filter(([name]) => !name.startsWith('error.')))
}

function listUsedErrors({ paths, components }: OpenApiDocument): readonly ErrorCode[] {
  const text = JSON.stringify([paths, components.responses])
  return errorCodes.filter((code) => text.includes(`"${errorRef(code)}"`))
}

function envelope({ components }: OpenApiDocument, success: unknown): object {
  const { content } = success as { readonly content: { readonly 'application/json': JsonContent } }
  const { schema } = content['application/json']
  const isIncluded = (property: ExampleSchema) => property.example !== undefined
  const data = toExample(schema, { schemas: components.schemas, isIncluded })
  const enveloped = {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: true, description: 'Always true' },
      data: { ...schema, description: 'Result of the operation' },
    },
    required: ['success', 'data'],
    additionalProperties: false,
  }
  const example = { success: true, data }
  return { description: 'Success', content: { 'application/json': { schema: enveloped, example } } }
}

/** Adds an enumeration to each constant, for generators that do not know constants. */
function addEnums(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addEnums)
  if (typeof value !== 'object' || value === null) return value
  const constant = 'const' in value && typeof value.const !== 'object' ? { enum: [value.const] } : {}
  return { ...Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, addEnums(entry)])), ...constant }
}

/** Removes the bounds of `z.int()`, which tools would show as examples. */
function removeSafeIntegerBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeSafeIntegerBounds)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, bound]) => Math.abs(Number(bound)) !== Number.MAX_SAFE_INTEGER)
  return Object.fromEntries(entries.map(([name, entry]) => [name, removeSafeIntegerBounds(entry)]))
}

function sortKeys<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The part of a JSON schema from which examples are created. */
type ExampleSchema = {
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
function toExample(schema: ExampleSchema, options: Options): unknown {
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

type Options = {
  readonly schemas: Readonly<Record<string, unknown>>
  readonly isIncluded: (property: ExampleSchema) => boolean
}

function resolve(ref: string, { schemas }: Options): ExampleSchema {
  return schemas[ref.slice('#/components/schemas/'.length)] as ExampleSchema
}

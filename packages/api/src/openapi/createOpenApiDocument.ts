import { errorCatalogue, errorCodes, type ErrorCode } from '@agio/core'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { createSchema } from 'zod-openapi'
import { countedAdminOperation, isAdminOperation } from '../admission/operations.ts'
import { health, version } from '../health/toHealth.ts'
import { listRestRoutes, type RestRoute } from '../rest/restRoutes.ts'
import { appRouter } from '../router/appRouter.ts'

/**
 * The OpenAPI document of what is really sent: trpc-to-openapi's, completed by what it does not know: the envelope, our
 * failures by status, the headers, `/health`, and the path whose parameter may be left out.
 */
export function createOpenApiDocument(): OpenApiDocument {
  const document = generateOpenApiDocument(appRouter, {
    title: 'Agio',
    description: 'Non-custodial conversion between dollar, Australian-dollar and euro stablecoins.',
    version,
    baseUrl: '/',
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      adminKey: { type: 'apiKey', in: 'header', name: 'X-Admin-Key' },
    },
  }) as unknown as OpenApiDocument
  for (const route of listRestRoutes(appRouter)) completeOperation(document, route)
  document.components.headers = headers
  document.paths['/health'] = { get: healthOperation() }
  document.components.schemas = sortKeys({
    // trpc-to-openapi's own error schemas describe bodies that are never sent.
    ...Object.fromEntries(Object.entries(document.components.schemas).filter(([name]) => !name.startsWith('error.'))),
    ...Object.fromEntries(listUsedErrors(document).map((code) => [schemaNameOf(code), toFailureSchema(code)])),
    ...createSchema(health).components,
  })
  return document
}

/** As much of OpenAPI 3.1 as this module writes. */
export type OpenApiDocument = {
  readonly openapi: string
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { schemas: Record<string, unknown>; headers?: object }
}

type Operation = {
  operationId: string
  security?: object[]
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[]
  requestBody?: { required?: boolean }
  responses: Record<string, unknown>
  readonly [field: string]: unknown
}

const bodyErrors: readonly ErrorCode[] = ['svc/payload-too-large', 'svc/unsupported-media-type']

const commonErrors: readonly ErrorCode[] = [
  'svc/invalid-request',
  'svc/unauthorized',
  'svc/rate-limited',
  'svc/storage-unavailable',
  'svc/internal',
]

/** What callers with an API key can get. */
const keyErrors: readonly ErrorCode[] = ['svc/key-revoked', 'svc/quota-exceeded']

const upstreamErrors: readonly ErrorCode[] = ['svc/upstream-error', 'svc/upstream-unavailable', 'svc/upstream-timeout']

// What `admin/*` answers that is not there, or whose key was never issued.
const adminErrors: readonly ErrorCode[] = ['svc/not-found']

/** The headers of answers. `RateLimit*` come with every answer to a key whose tier has limits. */
const headers = {
  'X-Request-Id': { description: 'The id of this request', schema: { type: 'string' } },
  'Retry-After': { description: 'Whole seconds to wait', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'What the key may do: its windows, `q` calls in `w` seconds each',
    schema: { type: 'string', examples: ['"standard";q=100;w=900, "burst";q=10;w=1'] },
  },
  RateLimit: {
    description: 'What it has left: `r` calls of each window, which ends in `t` seconds',
    schema: { type: 'string', examples: ['"standard";r=97;t=612, "burst";r=9;t=1'] },
  },
}

const requestIdHeader = refer('X-Request-Id')

const keyedHeaders = { ...requestIdHeader, ...refer('RateLimit-Policy'), ...refer('RateLimit') }

/** What every failure carries; each code adds its own figures. */
const failureProperties = {
  success: { type: 'boolean', const: false },
  error: { type: 'string', description: 'One sentence; starts with the code' },
  type: { type: 'string', description: 'Where the code is documented, relative to the service' },
  retryable: { type: 'boolean', description: 'Whether the same request can succeed later' },
  action: { type: 'string', enum: [...new Set(Object.values(errorCatalogue).map(({ action }) => action))] },
  requestId: { type: 'string' },
}

function completeOperation(document: OpenApiDocument, route: RestRoute): void {
  const item = document.paths[route.path] ?? {}
  const operation = item[route.method.toLowerCase()]
  if (!operation) throw new Error(`Cannot document ${route.operation}: trpc-to-openapi has not generated it`)
  operation.operationId = route.operation
  for (const parameter of operation.parameters ?? []) completeParameter(parameter, route)
  // Whoever shows an API key beside the admin key has the call counted on it, and limited by it.
  const isKeyed = !isAdminOperation(route.operation) || route.operation === countedAdminOperation
  operation.security = [isAdminOperation(route.operation) ? { adminKey: [] } : { apiKey: [] }]
  const common = isKeyed ? keyedHeaders : requestIdHeader
  if (operation.requestBody && route.needsNoBody) operation.requestBody.required = false
  operation.responses = {
    200: { ...envelope(operation.responses['200']), headers: common },
    ...failures(listErrors(operation, route), common),
  }
  if (!route.optional) return
  const { name } = route.optional
  const short = { ...operation, operationId: `${route.operation}.default` }
  short.parameters = (operation.parameters ?? []).filter((parameter) => parameter.name !== name)
  short.responses = { 200: operation.responses['200'], ...failures(listErrors(short, route), common) }
  document.paths[route.path.slice(0, -`/{${name}}`.length)] = { get: short }
}

function completeParameter(parameter: NonNullable<Operation['parameters']>[number], { fields }: RestRoute): void {
  const field = fields[parameter.name]
  if (parameter.in === 'path' || field?.isRequired) parameter.required = true
  else if (field?.default !== undefined) parameter.schema = { ...parameter.schema, default: field.default }
}

/** The failures that an operation can answer, by its own list and by what its input holds. */
function listErrors(
  { parameters, requestBody }: Operation,
  { method, errors, operation, fields }: RestRoute,
): readonly ErrorCode[] {
  const input = JSON.stringify([parameters, requestBody])
  return [
    ...commonErrors,
    ...(isAdminOperation(operation) ? adminErrors : [...keyErrors, ...upstreamErrors]),
    ...(operation === countedAdminOperation ? keyErrors : []),
    ...(input.includes('0x[0-9a-fA-F]{40}$') ? (['svc/invalid-address'] as const) : []),
    ...(Object.hasOwn(fields, 'chainId') ? (['svc/unsupported-chain'] as const) : []),
    ...(method === 'POST' ? bodyErrors : []),
    ...errors,
  ]
}

function listUsedErrors({ paths }: OpenApiDocument): readonly ErrorCode[] {
  const text = JSON.stringify(paths)
  return errorCodes.filter((code) => text.includes(`"#/components/schemas/${schemaNameOf(code)}"`))
}

function refer(header: keyof typeof headers): object {
  return { [header]: { $ref: `#/components/headers/${header}` } }
}

function envelope(success: unknown): object {
  const { content, description } = success as {
    readonly description: string
    readonly content: { readonly 'application/json': { readonly schema: object } }
  }
  const schema = {
    type: 'object',
    properties: { success: { type: 'boolean', const: true }, data: content['application/json'].schema },
    required: ['success', 'data'],
    additionalProperties: false,
  }
  return { description, content: { 'application/json': { schema } } }
}

function failures(codes: readonly ErrorCode[], common: object): Record<string, object> {
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const matching = codes.filter((code) => errorCatalogue[code].status === status)
      const refs = matching.map((code) => ({ $ref: `#/components/schemas/${schemaNameOf(code)}` }))
      const schema = refs.length === 1 ? refs[0] : { oneOf: refs }
      const sent = { ...common, ...((status === 429 || status === 503) && refer('Retry-After')) }
      const description = matching.map((code) => `\`${code}\`: ${errorCatalogue[code].title}.`).join('\n')
      return [status, { description, headers: sent, content: { 'application/json': { schema } } }]
    }),
  )
}

const detailSchemas: Record<string, object> = {
  maxAgeSeconds: { type: 'integer' },
  retryAfterSeconds: { type: 'integer' },
  value: { description: 'The refused value; absent if it was missing or is no scalar' },
  revert: {
    type: 'object',
    properties: { name: { type: 'string' }, args: { type: 'array', items: { type: 'string' } } },
    required: ['name', 'args'],
  },
}

/** `svc/stale-price` is `ErrorBody.stale-price`. */
function schemaNameOf(code: ErrorCode): string {
  return code.replace('svc/', 'ErrorBody.')
}

function toFailureSchema(code: ErrorCode): object {
  const { title, ...entry } = errorCatalogue[code]
  const details: readonly string[] = entry.details
  const optional: readonly string[] = 'optional' in entry ? entry.optional : []
  const figures = Object.fromEntries(details.map((field) => [field, detailSchemas[field] ?? { type: 'string' }]))
  return {
    type: 'object',
    description: title,
    properties: { ...failureProperties, code: { type: 'string', const: code }, ...figures },
    required: [
      ...Object.keys(failureProperties),
      'code',
      ...details.filter((field) => ![...optional, 'value'].includes(field)),
    ],
    additionalProperties: false,
  }
}

function healthOperation(): Operation {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Health' } } }
  return {
    operationId: 'health',
    summary: 'How the service is',
    tags: ['Health'],
    security: [],
    responses: {
      200: { description: 'Healthy, or degraded', headers: requestIdHeader, content },
      503: {
        description: 'Down: no chain can be reached, or the database cannot',
        headers: { ...requestIdHeader, ...refer('Retry-After') },
        content,
      },
    },
  }
}

function sortKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

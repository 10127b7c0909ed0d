import { catalogue, errorCodes, type ErrorCode } from '@agio/core'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { createSchema } from 'zod-openapi'
import { health, version } from '../health/toHealth.ts'
import { listRoutes, type Route } from '../rest/createRoutes.ts'
import { appRouter } from '../router.ts'

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
    securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
  }) as unknown as OpenApiDocument
  for (const route of listRoutes(appRouter)) completeOperation(document, route)
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
  readonly components: { schemas: Record<string, unknown> }
}

type Operation = {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[]
  responses: Record<string, unknown>
  readonly [field: string]: unknown
}

const bodyErrors: readonly ErrorCode[] = ['svc/payload-too-large', 'svc/unsupported-media-type']

const commonErrors: readonly ErrorCode[] = [
  'svc/invalid-request',
  'svc/unauthorized',
  'svc/internal',
  'svc/upstream-error',
  'svc/upstream-unavailable',
  'svc/upstream-timeout',
]

const requestIdHeader = { 'X-Request-Id': { description: 'The id of this request', schema: { type: 'string' } } }

const retryAfterHeader = { 'Retry-After': { description: 'Whole seconds to wait', schema: { type: 'integer' } } }

/** What every failure carries; each code adds its own figures. */
const failureProperties = {
  success: { type: 'boolean', const: false },
  error: { type: 'string', description: 'One sentence; starts with the code' },
  type: { type: 'string', description: 'Where the code is documented, relative to the service' },
  retryable: { type: 'boolean', description: 'Whether the same request can succeed later' },
  action: { type: 'string', enum: [...new Set(Object.values(catalogue).map(({ action }) => action))] },
  requestId: { type: 'string' },
}

function completeOperation(document: OpenApiDocument, route: Route): void {
  const item = document.paths[route.path] ?? {}
  const operation = item[route.method.toLowerCase()]
  if (!operation) throw new Error(`Cannot document ${route.operation}: trpc-to-openapi has not generated it`)
  operation.operationId = route.operation
  for (const parameter of operation.parameters ?? []) completeParameter(parameter, route)
  operation.responses = { 200: envelope(operation.responses['200']), ...failures(listErrors(operation, route)) }
  if (!route.optional) return
  const { name } = route.optional
  const short = { ...operation, operationId: `${route.operation}.default` }
  short.parameters = (operation.parameters ?? []).filter((parameter) => parameter.name !== name)
  short.responses = { 200: operation.responses['200'], ...failures(listErrors(short, route)) }
  document.paths[route.path.slice(0, -`/{${name}}`.length)] = { get: short }
}

function completeParameter(parameter: NonNullable<Operation['parameters']>[number], { fields }: Route): void {
  const field = fields[parameter.name]
  if (parameter.in === 'path' || field?.isRequired) parameter.required = true
  else if (field?.default !== undefined) parameter.schema = { ...parameter.schema, default: field.default }
}

/** The failures that an operation can answer, by its own list and by what its input holds. */
function listErrors({ parameters, requestBody }: Operation, { method, errors }: Route): readonly ErrorCode[] {
  const input = JSON.stringify([parameters, requestBody])
  return [
    ...commonErrors,
    ...(input.includes('0x[0-9a-fA-F]{40}$') ? (['svc/invalid-address'] as const) : []),
    ...(input.includes('"chainId"') ? (['svc/unsupported-chain'] as const) : []),
    ...(method === 'POST' ? bodyErrors : []),
    ...errors,
  ]
}

function listUsedErrors({ paths }: OpenApiDocument): readonly ErrorCode[] {
  const text = JSON.stringify(paths)
  return errorCodes.filter((code) => text.includes(`"#/components/schemas/${schemaNameOf(code)}"`))
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
  return { description, headers: requestIdHeader, content: { 'application/json': { schema } } }
}

function failures(codes: readonly ErrorCode[]): Record<string, object> {
  const statuses = [...new Set(codes.map((code) => catalogue[code].status))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const matching = codes.filter((code) => catalogue[code].status === status)
      const refs = matching.map((code) => ({ $ref: `#/components/schemas/${schemaNameOf(code)}` }))
      const schema = refs.length === 1 ? refs[0] : { oneOf: refs }
      const headers = { ...requestIdHeader, ...((status === 429 || status === 503) && retryAfterHeader) }
      const description = matching.map((code) => `\`${code}\`: ${catalogue[code].title}.`).join('\n')
      return [status, { description, headers, content: { 'application/json': { schema } } }]
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

/** `svc/stale-price` is `Failure.stale-price`. */
function schemaNameOf(code: ErrorCode): string {
  return code.replace('svc/', 'Failure.')
}

function toFailureSchema(code: ErrorCode): object {
  const { title, details }: { title: string; details: readonly string[] } = catalogue[code]
  const figures = Object.fromEntries(details.map((field) => [field, detailSchemas[field] ?? { type: 'string' }]))
  return {
    type: 'object',
    description: title,
    properties: { ...failureProperties, code: { type: 'string', const: code }, ...figures },
    required: [...Object.keys(failureProperties), 'code', ...details.filter((field) => field !== 'value')],
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
      503: { description: 'Down: no chain can be reached', headers: requestIdHeader, content },
    },
  }
}

function sortKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

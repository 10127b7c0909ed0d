import type { OpenApiDocument, Operation } from '../openapi/createOpenApiDocument.ts'

const schemaUrl = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** The header and the variable of each security scheme of the document. */
const keys: Readonly<Record<string, { readonly header: string; readonly variable: string }>> = {
  apiKey: { header: 'X-API-Key', variable: 'apiKey' },
  adminKey: { header: 'X-Admin-Key', variable: 'adminKey' },
}

/**
 * Creates a Postman collection (v2.1.0) of all operations, in a folder for each tag, with the examples of the document. Its variables
 * are `baseUrl`, `apiKey` and `adminKey`.
 */
export function createPostmanCollection({ info, tags = [], paths }: OpenApiDocument): PostmanCollection {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const folders = tags as readonly { readonly name: string; readonly description?: string }[]
  return {
    info: { name: info.title, description: info.description, version: info.version, schema: schemaUrl },
    auth: toAuth('apiKey'),
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: '' },
      { key: 'adminKey', value: '' },
    ],
    item: folders.map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ operation }) => operation.tags?.[0] === name).map(toItem),
    })),
  }
}

/** A collection in Postman's format, with a folder for each tag. */
export type PostmanCollection = {
  readonly info: Readonly<Record<'name' | 'description' | 'version' | 'schema', string>>
  readonly auth: object
  readonly variable: readonly { readonly key: string; readonly value: string }[]
  readonly item: readonly { readonly name: string; readonly item: readonly PostmanItem[] }[]
}

type PostmanItem = { readonly name: string; readonly request: object; readonly response: readonly object[] }

type Entry = { readonly path: string; readonly method: string; readonly operation: Operation }

type Success = { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }

function toItem({ path, method, operation }: Entry): PostmanItem {
  const { summary, requestBody, responses, security = [] } = operation
  const [scheme] = security.flatMap((required) => Object.keys(required))
  const body = requestBody?.content['application/json'].example
  const request = {
    method,
    description: operation['description'],
    auth: scheme === undefined ? { type: 'noauth' } : toAuth(scheme),
    header: [],
    url: toUrl(path, operation),
    ...(body !== undefined && { body: toRaw(body) }),
  }
  const example = (responses['200'] as Success | undefined)?.content?.['application/json']?.example
  const response = { name: 'Success', code: 200, status: 'OK', originalRequest: request, body: toJson(example) }
  return { name: summary, request, response: example === undefined ? [] : [response] }
}

type Value = string | number | boolean

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: { readonly example?: Value; readonly default?: Value }
}

function toUrl(path: string, { parameters = [] }: Operation): object {
  const named = parameters.map(({ name, in: place, required = false, schema }: Parameter) => {
    const value = schema.example ?? schema.default ?? ''
    return { place, key: name, value: String(value), ...(!required && { disabled: true }) }
  })
  const list = (at: string) => named.flatMap(({ place, ...parameter }) => (place === at ? [parameter] : []))
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/')
  const raw = `{{baseUrl}}/${segments.join('/')}`
  return { raw, host: ['{{baseUrl}}'], path: segments, query: list('query'), variable: list('path') }
}

function toAuth(scheme: string): object {
  const { header = scheme, variable = scheme } = keys[scheme] ?? {}
  const pair = (key: string, value: string) => ({ key, value, type: 'string' })
  return { type: 'apikey', apikey: [pair('key', header), pair('value', `{{${variable}}}`), pair('in', 'header')] }
}

function toRaw(body: unknown): object {
  return { mode: 'raw', raw: toJson(body), options: { raw: { language: 'json' } } }
}

function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

import { errorCodes, Network } from '@agio/core'
import { expect, it } from 'vitest'
import { appRouter } from '../router/appRouter.ts'
import { createOpenApiDocument } from './createOpenApiDocument.ts'

type Node = Readonly<Record<string, unknown>>

const document = createOpenApiDocument()
const schemas = document.components.schemas as Readonly<Record<string, Node>>

/** Lists every object of the document with its JSON pointer. */
function listNodes(value: unknown, pointer = '#'): readonly (readonly [pointer: string, node: Node])[] {
  if (typeof value !== 'object' || value === null) return []
  const children = Object.entries(value).flatMap(([key, child]) => listNodes(child, `${pointer}/${key}`))
  return Array.isArray(value) ? children : [[pointer, value as Node], ...children]
}

const nodes = listNodes(document).filter(([pointer]) => !/\/(example|default)(\/|$)/.test(pointer))

const properties = nodes.flatMap(([pointer, { type, properties: own }]) =>
  type === 'object'
    ? Object.entries((own as Readonly<Record<string, Node>> | undefined) ?? {}).map(
        ([name, property]) => [`${pointer}/${name}`, property] as const,
      )
    : [],
)

const parameters: typeof properties = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.values(item).flatMap((operation) =>
    (operation.parameters ?? []).map(({ name, schema }) => [`${path}/${name}`, schema] as const),
  ),
)

const listUndescribed = (list: typeof properties) =>
  list.filter(([, schema]) => {
    const target = schemas[String(schema['$ref']).split('/').at(-1) ?? '']
    return typeof (schema['description'] ?? target?.['description']) !== 'string'
  })

it('every property and parameter of the OpenAPI document has a description', () => {
  expect(properties.length).toBeGreaterThan(200)
  expect(listUndescribed(properties).map(([pointer]) => pointer)).toEqual([])
  expect(parameters.length).toBeGreaterThan(10)
  expect(listUndescribed(parameters).map(([pointer]) => pointer)).toEqual([])
})

it('every schema, operation and response of the OpenAPI document has a description', () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => [path, operation] as const),
  )
  const listWithout = (entries: readonly (readonly [string, object])[]) =>
    entries
      .filter(([, entry]) => !('$ref' in entry) && !('description' in entry && entry.description))
      .map(([name]) => name)
  expect(listWithout(Object.entries(schemas))).toEqual([])
  expect(listWithout(operations)).toEqual([])
  expect(listWithout(Object.entries(document.components.responses ?? {}))).toEqual([])
  expect(
    listWithout(operations.flatMap(([, { responses }]) => Object.entries(responses as Record<string, object>))),
  ).toEqual([])
})

it('every oneOf of the OpenAPI document has a discriminator with a mapping for each of its schemas', () => {
  const unions = nodes.filter(([, node]) => 'oneOf' in node)
  expect(unions.length).toBeGreaterThan(10)
  for (const [pointer, { oneOf, discriminator }] of unions) {
    const refs = (oneOf as readonly Node[]).map(({ $ref }) => $ref)
    const { propertyName, mapping } = discriminator as { propertyName: string; mapping: Record<string, string> }
    expect(['code', 'event', 'kind', 'topic'], pointer).toContain(propertyName)
    expect(new Set(Object.values(mapping)), pointer).toEqual(new Set(refs))
    for (const [value, ref] of Object.entries(mapping)) {
      const { properties } = schemas[ref.split('/').at(-1) ?? ''] as { properties: Record<string, Values> }
      const { const: only, enum: values = [only] } = properties[propertyName] ?? {}
      expect(values, ref).toContain(value)
    }
  }
})

/** The values of a discriminator. */
type Values = { readonly const?: string; readonly enum?: readonly (string | undefined)[] }

it('every schema of the OpenAPI document is named by an identifier', () => {
  expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([])
})

it('every integer of the OpenAPI document has a minimum or its values, an example, and no bound of a JSON number', () => {
  const integers = nodes.filter(([, node]) => node['type'] === 'integer')
  expect(integers.length).toBeGreaterThan(20)
  for (const [pointer, integer] of integers) {
    expect('minimum' in integer || 'enum' in integer, `${pointer} has a minimum`).toBe(true)
    expect(integer['example'], `${pointer} has an example`).toBeTypeOf('number')
  }
  expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER))
})

it('the values of every enumeration of the OpenAPI document are listed once, so that generators make one type of each', () => {
  const enums = nodes
    .filter(([, node]) => 'enum' in node && !('const' in node))
    .map(([, node]) => JSON.stringify(node['enum']))
  expect(enums.length).toBeGreaterThan(10)
  expect(enums.filter((values, at) => enums.indexOf(values) !== at)).toEqual([])
  const codes = schemas['ErrorCode']?.['enum'] as readonly string[]
  expect(codes).toEqual(errorCodes)
  // Parts of the catalogue refer to it.
  for (const [pointer, { enum: values, const: only, $ref }] of nodes) {
    if (
      pointer === '#/components/schemas/ErrorCode' ||
      only !== undefined ||
      !Array.isArray(values) ||
      !codes.includes(values[0])
    )
      continue
    expect($ref, pointer).toBe('#/components/schemas/ErrorCode')
  }
})

it('operations of the OpenAPI document share the responses of up to three errors, which are named by them', () => {
  const responses = Object.entries(document.components.responses ?? {})
  expect(responses.length).toBeGreaterThan(15)
  for (const [name, response] of responses) {
    const listed = [...JSON.stringify(response).matchAll(/{"\$ref":"#\/components\/schemas\/(\w+)"}/g)].map(
      ([, ref]) => ref,
    )
    expect(name.split('Or').map((error) => error.replace(/(Error)?$/, 'Error'))).toEqual(listed)
  }
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).filter((operation) => operation['x-procedure'] !== undefined),
  )
  const own = operations
    .flatMap((operation) => Object.entries(operation.responses as Record<string, { readonly description?: string }>))
    .filter(([status, response]) => Number(status) >= 400 && !('$ref' in response))
  expect(own.filter(([, { description }]) => (description?.split('\n').length ?? 0) <= 3)).toEqual([])
})

it('every operation of the OpenAPI document has an id that is a verb and an object, and the id is used once', () => {
  const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  const verbs =
    /^(list|erase|get|update|preview|quote|plan|build|execute|check|track|broadcast|issue|rotate|revoke|pause|resume|create|delete|replay|test|watch)[A-Z][A-Za-z]+$/
  expect(ids.filter((id) => !verbs.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})

it('every operation of the OpenAPI document under /api/v1 names its procedure, as tRPC, usage and metrics do', () => {
  const names = Object.entries(document.paths).flatMap(([path, item]) =>
    path.startsWith('/api/v1/') ? Object.values(item).map((operation) => operation['x-procedure']) : [],
  )
  expect(new Set(names)).toEqual(new Set(Object.keys(appRouter._def.procedures)))
})

it('every pattern of the OpenAPI document is in the syntax that regular expressions of all languages share', () => {
  const patterns = nodes.flatMap(([pointer, { pattern }]) => (typeof pattern === 'string' ? [[pointer, pattern]] : []))
  expect(patterns.length).toBeGreaterThan(50)
  expect(patterns.filter(([, pattern = '']) => /\(\?[^:]|\\[pPuk]/.test(pattern))).toEqual([])
  expect(nodes.filter(([, node]) => 'allOf' in node).map(([pointer]) => pointer)).toEqual([])
})

it('every text of the OpenAPI document that is hex, by its example, has a pattern that says so', () => {
  const isHex = ({ type, example }: Node) => type === 'string' && /^0x[0-9a-fA-F]*$/.test(String(example))
  const texts = [...properties, ...parameters].filter(([, schema]) => isHex(schema) && !('const' in schema))
  expect(texts.length).toBeGreaterThan(50)
  expect(texts.filter(([, { pattern }]) => !String(pattern).startsWith('^0x')).map(([pointer]) => pointer)).toEqual([])
})

it('every request body of the OpenAPI document is an object that refuses other fields', () => {
  const bodies = nodes.filter(([pointer]) => pointer.endsWith('/requestBody/content/application/json/schema'))
  expect(bodies.length).toBeGreaterThan(10)
  for (const [pointer, body] of bodies) expect(body['additionalProperties'], pointer).toBe(false)
})

it('every optional chainId of the OpenAPI document is a JSON number that is 84532 by default', () => {
  const found = nodes.filter(([pointer, node]) => pointer.endsWith('/properties/chainId') && 'default' in node)
  expect(found.length).toBeGreaterThan(5)
  for (const [, chainId] of found) {
    expect(chainId).toMatchObject({ $ref: '#/components/schemas/ChainId', default: 84_532 })
  }
  expect(schemas['ChainId']).toMatchObject({ type: 'integer', enum: Network.chainIds })
})

it.each([
  ['AboveMaxOriginError', 'amountIn', 'maxAmountIn'],
  ['BelowMinTargetError', 'minAmountOut', 'amountOut'],
  ['InsufficientGasError', 'required', 'current'],
  ['InsufficientBalanceError', 'required', 'current'],
  ['InsufficientAllowanceError', 'required', 'current'],
])('the examples of the error %s show its cause: %s exceeds %s', (name, more, less) => {
  const { properties: fields } = schemas[name] as { properties: Readonly<Record<string, Node>> }
  expect(Number(fields[more]?.['example'])).toBeGreaterThan(Number(fields[less]?.['example']))
})

it('the nonce to track has a maximum, and the pattern of a webhook URL needs no escapes', () => {
  const byName = (name: string) =>
    nodes.filter(([pointer]) => pointer.endsWith(`/properties/${name}`)).map(([, node]) => node)
  const requested = byName('nonce').filter(({ description }) => String(description).includes('with `from`'))
  expect(requested.map((node) => 'maximum' in node)).toEqual([true, true, true])
  expect(byName('url').map((node) => node['pattern'])).toContain('^https?:[/][/]')
})

it('every named enumeration is written out', () => {
  const references = Object.entries(schemas).filter(([, schema]) => '$ref' in schema)
  expect(references.map(([name]) => name)).toEqual([])
})

it('generators find a schema in every parameter, and an enumeration beside every constant', () => {
  const unreadable = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ parameters: own = [] }) =>
      own.flatMap(({ name, ...parameter }) => ('schema' in parameter ? [] : [`${path}/${name}`])),
    ),
  )
  expect(unreadable).toEqual([])
  const constants = nodes.filter(([pointer, node]) => 'const' in node && !pointer.endsWith('/properties'))
  expect(constants.length).toBeGreaterThan(100)
  expect(constants.filter(([, node]) => JSON.stringify(node['enum']) !== JSON.stringify([node['const']]))).toEqual([])
})

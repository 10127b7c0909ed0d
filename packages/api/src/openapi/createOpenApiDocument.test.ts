import { expect, it } from 'vitest'
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
    (operation.parameters ?? []).map(({ name, schema }) => [`${path}/${name}`, schema as Node] as const),
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
    entries.filter(([, entry]) => !('description' in entry)).map(([name]) => name)
  expect(listWithout(Object.entries(schemas))).toEqual([])
  expect(listWithout(operations)).toEqual([])
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
    expect(propertyName, pointer).toBe('code')
    expect(Object.values(mapping), pointer).toEqual(refs)
    for (const [code, ref] of Object.entries(mapping)) {
      const schema = schemas[ref.split('/').at(-1) ?? '']
      expect(schema, ref).toMatchObject({ properties: { code: { const: code } } })
    }
  }
})

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

it('the introduction of the OpenAPI document describes the flow, the local keys and the errors', () => {
  const { description } = document.info
  for (const text of ['/api/v1/convert/preview', 'local-key', 'local-admin-key', '/docs/errors']) {
    expect(description).toContain(text)
  }
})

it('every optional chainId of the OpenAPI document is a JSON number that is 84532 by default', () => {
  const chainIds = nodes.filter(([pointer, node]) => pointer.endsWith('/properties/chainId') && 'default' in node)
  expect(chainIds.length).toBeGreaterThan(5)
  for (const [, chainId] of chainIds) expect(chainId).toMatchObject({ type: 'integer', default: 84_532 })
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

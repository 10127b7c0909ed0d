import { readFileSync } from 'node:fs'
import { describe, expect, inject, it } from 'vitest'
import { request } from 'undici'
import { expectDocumented } from '../harness/openApi.ts'

type Operation = {
  readonly operationId: string
  readonly 'x-procedure'?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': Example } }
  readonly responses: Readonly<Record<string, { readonly content?: { readonly 'application/json': Example } }>>
}

type Example = { readonly example?: unknown }

type Schema = Example & { readonly $ref?: string }

const { paths, components } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Example>> }
}

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
)

/** The operations for which a fresh local stack returns 200. */
const isMain = ({ 'x-procedure': procedure }: Operation) =>
  procedure !== undefined &&
  !/^(admin\.|webhooks\.(?!list$|watches$)|swap\.execute$|keys\.rotate$)|broadcast|status|track|replace|receipt/i.test(
    procedure,
  )

/** Streams have their own tests: test/streams/. */
const isCalled = ({ 'x-procedure': procedure }: Operation) => procedure !== undefined && procedure !== 'stream.watch'

const main = operations.filter((operation) => isMain(operation) && isCalled(operation))

describe.each(inject('targets'))('the examples of openapi.json ($name)', ({ url, apiKey }) => {
  it.each(main)('the example request of $operationId is answered with 200', async (operation) => {
    const { method, path } = fillParameters(operation)
    const body = operation.requestBody
      ? JSON.stringify(operation.requestBody.content['application/json'].example)
      : null
    const response = await request(`${url}${path}`, {
      method: method as 'GET' | 'POST',
      headers: { 'x-api-key': apiKey, ...(body !== null && { 'content-type': 'application/json' }) },
      body,
    })
    const answer = await response.body.json()
    expect({ status: response.statusCode, answer }).toMatchObject({ status: 200, answer: { success: true } })
    expectDocumented(operation.operationId, 200, answer)
  })
})

it('the example requests cover most operations, the main ones included', () => {
  expect(main.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(['listPools', 'getPool', 'previewConversion', 'getOraclePrices', 'buildConversion']),
  )
  expect(main.length).toBeGreaterThanOrEqual(16)
})

it.each(operations.filter(isCalled))(
  'the example response of $operationId is valid by its own schema',
  ({ operationId, responses }) => {
    expectDocumented(operationId, 200, responses['200']?.content?.['application/json'].example)
  },
)

/** Fills every parameter, the optional ones too, with its example. */
function fillParameters({ method, path, parameters = [] }: (typeof operations)[number]) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(findExample(name)))
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) if (place === 'query') query.set(name, String(findExample(name)))
  return { method, path: query.size > 0 ? `${filled}?${query.toString()}` : filled }

  function findExample(name: string): unknown {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema
    const shared = schema?.$ref === undefined ? undefined : components.schemas[schema.$ref.split('/').at(-1) ?? '']
    return schema?.example ?? shared?.example
  }
}

import { readFileSync } from 'node:fs'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

type Document = {
  readonly paths: Record<string, Record<string, Operation>>
}

type Operation = {
  readonly operationId: string
  readonly 'x-procedure'?: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>
}

/** The committed document. */
const openApi = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(openApi, 'openapi')

/** Every operation of the document, with its method, its path and its procedure if it has one. */
export const operations = Object.entries(openApi.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId, 'x-procedure': procedure, parameters, responses }]) => ({
    operationId,
    procedure,
    path,
    method: method.toUpperCase(),
    parameters,
    responses,
  })),
)

/** Gets an operation of the document by its procedure, or by its id. */
export function findOperation(name: string): (typeof operations)[number] {
  const operation = operations.find(({ procedure, operationId }) => procedure === name || operationId === name)
  if (!operation) throw new Error(`Cannot get operation ${name}: openapi.json does not have it`)
  return operation
}

/** Asserts that a body matches the schema in openapi.json for a status of an operation, by its procedure or its id. */
export function expectDocumented(name: string, status: number, body: unknown): void {
  const { path, method, responses } = findOperation(name)
  const own = ['paths', path, method.toLowerCase(), 'responses', String(status)]
  const response = responses[status]?.$ref?.slice('#/'.length).split('/') ?? own
  const pointer = [...response, 'content', 'application/json', 'schema']
  const escaped = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  const validate = ajv.getSchema(`openapi#/${escaped.join('/')}`)
  expect(validate, `openapi.json documents status ${status} of ${name}`).toBeDefined()
  const shown = JSON.stringify(body).slice(0, 500)
  expect(validate?.(body) === true || validate?.errors, `${name} ${status} is as documented: ${shown}`).toBe(true)
}

import { readFileSync } from 'node:fs'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

type Document = {
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>
}

/** The committed document. */
const openApi = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(openApi, 'openapi')

/** Every operation of the document, with its method and path. */
export const operations = Object.entries(openApi.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId }]) => ({ operationId, path, method: method.toUpperCase() })),
)

/** Gets an operation of the document. */
export function findOperation(operationId: string): (typeof operations)[number] {
  const operation = operations.find((candidate) => candidate.operationId === operationId)
  if (!operation) throw new Error(`Cannot get operation ${operationId}: openapi.json does not have it`)
  return operation
}

/** Asserts that a body matches the schema in openapi.json for an operation and a status. */
export function expectDocumented(operationId: string, status: number, body: unknown): void {
  const { path, method } = findOperation(operationId)
  const pointer = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ]
  const escaped = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  const validate = ajv.getSchema(`openapi#/${escaped.join('/')}`)
  expect(validate, `openapi.json documents status ${status} of ${operationId}`).toBeDefined()
  expect(validate?.(body) === true || validate?.errors, `${operationId} ${status} is as documented`).toBe(true)
}

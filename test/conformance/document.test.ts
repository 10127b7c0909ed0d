import { readFile } from 'node:fs/promises'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'

const text = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')
const document = JSON.parse(text) as { components: { schemas: Record<string, object> } }
const names = Object.keys(document.components.schemas)

it.each(names)('the schema %s of openapi.json compiles and is used', (name) => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  expect(ajv.getSchema(`openapi#/components/schemas/${name}`)).toBeTypeOf('function')
  expect(text).toContain(`"#/components/schemas/${name}"`)
})

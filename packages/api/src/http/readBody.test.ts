import { expect, it } from 'vitest'
import { parseJsonObject } from './readBody.ts'

it.each([
  ['{}', {}],
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', { a: 1, b: { a: 2 }, c: [{ a: 3 }, { a: 4 }] }],
  ['{"text":"\\"a\\":1, \\\\"}', { text: '"a":1, \\' }],
  ['{ "a" : "b: c", "d" :\n"e" }', { a: 'b: c', d: 'e' }],
])('the body %s is an object', (text, expected) => {
  expect(parseJsonObject(text)).toEqual(expected)
})

it.each([
  '{"a":1,"a":1}',
  '{"a":1,"a":2}',
  '{"a":{"b":1,"b":2}}',
  '{"a":[{"b":1,"b":2}]}',
  '{"a":1,"\\u0061":2}',
  '{"a" : 1, "b":"a", "a" :2}',
])('error: svc/invalid-request for the body %s, which has a field twice', (text) => {
  const refused = { code: 'svc/invalid-request', message: expect.stringContaining('it has a field twice') as string }
  expect(() => parseJsonObject(text)).toThrow(expect.objectContaining(refused))
})

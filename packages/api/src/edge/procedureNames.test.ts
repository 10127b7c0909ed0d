import { expect, it } from 'vitest'
import { countCalls, parseProcedureNames } from './procedureNames.ts'

it.each([
  ['a.b', '', ['a.b']],
  ['a,b', '', ['a,b']],
  ['a%2Cb', 'batch=0&batch=1', ['a,b']],
  ['a,b', 'batch=1', ['a', 'b']],
  ['a%2cb,', 'input={}&batch=1', ['a', 'b', '']],
  ['a%252Cb', 'batch=1', ['a%2Cb']],
  ['a,%', 'b%61tch=1', ['a', '%']],
  ['', 'batch=1', ['']],
])('the tRPC path %j with the query %j names %j', (path, query, names) => {
  expect(parseProcedureNames({ path: `/trpc/${path}`, query })).toEqual(names)
})

it('a tRPC path with very many names yields one name more than a batch may have', () => {
  expect(parseProcedureNames({ path: `/trpc/${'a,'.repeat(1000)}`, query: 'batch=1' })).toHaveLength(11)
})

it.each([
  ['/trpc/a,b?batch=1', 2],
  ['http://a/trpc/a%2Cb?batch=1', 2],
  ['http://a,b/trpc/a?batch=1', 1],
  ['/trpc/a,b', 1],
  ['/api/v1/a,b?batch=1', 1],
  ['http://a', 1],
])('the URL %j has %d calls', (url, calls) => {
  expect(countCalls(url)).toBe(calls)
})

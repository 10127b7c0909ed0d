import { expect, it } from 'vitest'
import { createExchange } from './HttpExchange.ts'

it.each([
  ['/a/b?c=/d', '/a/b', 'c=/d'],
  ['http://localhost/a?b=1', '/a', 'b=1'],
  ['http://localhost/', '/', ''],
  ['http://localhost', '/', ''],
  ['http://localhost?a=/trpc/pools.list', '/', 'a=/trpc/pools.list'],
  ['http://localhost/?a=http://b/c?d', '/', 'a=http://b/c?d'],
])('a request of %j has the path %j and the query %j', (url, path, query) => {
  const request = {
    method: 'GET',
    url,
    headers: new Headers(),
    signal: AbortSignal.abort(),
    body: null,
    text: () => '',
  }
  expect(createExchange(request, { address: '' }, 0)).toMatchObject({ path, query })
})

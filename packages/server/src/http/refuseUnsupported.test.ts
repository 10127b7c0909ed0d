import { expect, it } from 'vitest'
import { refuseUnsupported } from './refuseUnsupported.ts'

const fetch = refuseUnsupported({
  fetch: async () => new Response('served'),
  refuse: async ({ code }) => new Response(code),
})

/** A request as Deno passes it on: with headers and methods that `Request` itself does not take. */
function createRequest(request: { method?: string; url?: string; headers?: Record<string, string> }): Request {
  const { method = 'GET', url = 'http://a/', headers = {} } = request
  return { method, url, headers: new Headers(headers) } as Request
}

it.each([
  ['CONNECT', { method: 'CONNECT', url: 'http://a.example:443' }, 'svc/method-not-allowed'],
  ['an expectation', { headers: { expect: 'more' } }, 'svc/expectation-failed'],
  ['a dot segment', { url: 'http://a/b/../c' }, 'svc/invalid-request'],
  ['dots and a backslash after its path', { url: 'http://a/b.c/...?d=\\/../' }, 'served'],
  ['a valid host', { headers: { host: '[::1]:3000' } }, 'served'],
  ['the expectation of a continuation', { headers: { expect: '100-Continue' } }, 'served'],
  ['no host', {}, 'served'],
] as const)('a request with %s that the runtime passes on is answered as on Node', async (_, request, expected) => {
  expect(await (await fetch(createRequest(request), '127.0.0.1')).text()).toBe(expected)
})

it('a refused request has its path as it was sent, which decides the shape of the response', async () => {
  const paths: (string | undefined)[] = []
  const refuse = async (_: unknown, { path }: { readonly path?: string | undefined }) => {
    paths.push(path)
    return new Response()
  }
  const recorded = refuseUnsupported({ fetch: async () => new Response('served'), refuse })
  await recorded(createRequest({ url: 'http://a/trpc/..?b=c' }), '127.0.0.1')
  expect(paths).toEqual(['/trpc/..'])
})

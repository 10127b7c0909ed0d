import { expect, it } from 'vitest'
import { toEndpoint } from './requestService.ts'

it.each([
  ['https://agio.example', 'https://agio.example/trpc'],
  ['http://127.0.0.1:3000/proxy/agio//', 'http://127.0.0.1:3000/proxy/agio/trpc'],
  ['/api/agio', '/api/agio/trpc'],
  ['http://[::1]:3000', 'http://[::1]:3000/trpc'],
  ['http://app.localhost:3000', 'http://app.localhost:3000/trpc'],
  ['https://agio.example/agiotrpc', 'https://agio.example/agiotrpc/trpc'],
])('the procedures of the base URL %s are at %s', (url, endpoint) => {
  expect(toEndpoint({ url })).toBe(endpoint)
})

const key = `agio_${'a'.repeat(43)}`

it.each([
  ['', 'neither an absolute URL nor a path'],
  ['agio.example', 'neither an absolute URL nor a path'],
  ['//agio.example', 'neither an absolute URL nor a path'],
  ['/\\agio.example', 'neither an absolute URL nor a path'],
  ['ws://agio.example', 'ws:'],
  ['https://user:secret@agio.example', 'credentials'],
  [`https://agio.example/${key}`, 'API key'],
  [`https://agio.example?apiKey=${key}`, 'API key'],
  ['https://agio.example/#secret', 'fragment'],
  ['https://agio.example?', 'query'],
  ['https://agio.example/trpc', 'it ends in /trpc, which the client adds'],
  ['/api/agio/trpc/', 'it ends in /trpc'],
  ['http://agio.example', 'it is not encrypted'],
  ['http://127.0.0.1.agio.example', 'it is not encrypted'],
])('error: the base URL %s is refused without being quoted', (url, reason) => {
  const act = () => toEndpoint({ url })
  expect(act).toThrow(TypeError)
  expect(act).toThrow(reason)
  expect(act).not.toThrow(/secret|agio_/)
})

it('a URL with http: of another host is accepted with allowInsecure', () => {
  expect(toEndpoint({ url: 'http://agio.example', allowInsecure: true })).toBe('http://agio.example/trpc')
})

import fc from 'fast-check'
import type { ValidCall } from './createValidCalls.ts'
import { documents, oddNames, texts } from './dictionary.ts'

const escapes = ['%2', '%zz', '%00', '%ff', '%c0%af', '%ed%a0%80', '%2e%2e', '%2f', '%252f', '%25', '%0d%0a']
const segments = ['//', '/./', '/../', '/..;/', ';a=b', '/.', '..', '#x', '%F0%9F%92%A5']
const characters = Array.from('%/;\\#@:*+~!$|é💥\u202E \t[]{}^`"<>.,&=?')
const insertions = [...characters, ...escapes, ...segments]

const roots = ['/', '//', '/.', '/..', '/*', '*', '/%', '/?', '/??', '/#']
const ofRest = ['/api', '/api/', '/api/v1', '/api/v1/', '/api/v1//', '/API/v1/pools', '/api/v1/Pools', '/api/v2/pools']
const ofTrpc = ['/trpc', '/trpc/', '/trpc//', '/trpc/%2C', '/%74rpc/pools.list', '/%61pi/v1/pools']
const ofPages = ['/health', '/health/', '/HEALTH', '/%68ealth', '/metrics', '/openapi.json', '/favicon.ico', '/.env']
const ofDocs = ['/docs', '/docs/', '/docs/api', '/docs/errors', '/docs/reference.js/', '/docs/../api/v1/pools']
const traversals = ['/../../../../etc/passwd', '/api/v1/../../package.json', '/docs/guide/..%2f..%2fREADME.md']
const ofAdmin = ['/api/v1/pools/%2e%2e%2fadmin', '/api/v1/admin/../pools']
const paths = [...roots, ...ofRest, ...ofTrpc, ...ofPages, ...ofDocs, ...traversals, ...ofAdmin]

/** An invalid path: misspelt, badly encoded, very long or unknown. */
export function arbitraryPath({ path }: ValidCall): fc.Arbitrary<string> {
  const at = fc.nat({ max: path.length - 1 })
  const odd = fc.constantFrom(...insertions)
  const upTo = (max: number) => fc.integer({ min: 10, max })
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(at, odd).map(([index, text]) => insert(path, index, text)) },
    { weight: 2, arbitrary: at.map((index) => encodeAt(path, index)) },
    { weight: 2, arbitrary: odd.map((text) => path + text) },
    { weight: 2, arbitrary: fc.constantFrom(...oddNames).map((name) => replaceLast(path, name)) },
    { weight: 2, arbitrary: fc.constantFrom(...paths) },
    { weight: 1, arbitrary: upTo(30_000).map((length) => replaceLast(path, 'x'.repeat(length))) },
    { weight: 1, arbitrary: upTo(5000).map((count) => path + '/a'.repeat(count)) },
    { weight: 1, arbitrary: upTo(3000).map((count) => path + '%41'.repeat(count)) },
    { weight: 1, arbitrary: fc.webPath().map((text) => path + text) },
  )
}

function insert(path: string, index: number, text: string): string {
  return path.slice(0, index + 1) + text + path.slice(index + 1)
}

function encodeAt(path: string, index: number): string {
  return `${path.slice(0, index)}%${path.charCodeAt(index).toString(16)}${path.slice(index + 1)}`
}

function replaceLast(path: string, name: string): string {
  const last = Math.max(path.lastIndexOf('/'), path.lastIndexOf('.'))
  return path.slice(0, last + 1) + encodeURIComponent(name)
}

const malformed = ['', '&', '&&', '=', '==', '?', '??', '#', '%', '%=%', '%zz=1', '%ff=%ff', '+', 'é=é', '💥', '/../']
const repeated = ['a[]=1&a[]=2', 'a=1&a=2', 'chainId=84532&chainId=84532', 'input={}&input={}', 'batch=1&batch=1']
const separated = ['a', 'a=', '=a', 'a==b', 'a=b=c', 'a[b]=c', 'a;b', 'a=%zz', 'a=%ff', 'a=%00', 'a=%ed%a0%80', 'a=+']
const known = ['chainId', 'chainId[]', 'page', 'limit', 'month', 'input', 'batch', 'connectionParams', 'lastEventId']
const pages = ['page=999999999999999', 'page=999999999999999&limit=100', 'limit=101', 'batch=1', 'chainId=84532']
const others = ['a=b#c', 'connectionParams={"a":1}', 'connectionParams={"__proto__":"a"}', 'input', 'batch', 'batch=2']

const arbitraryParameter = fc.oneof(
  fc.constantFrom(...malformed, ...repeated, ...separated, ...pages, ...others),
  fc
    .tuple(fc.constantFrom(...known), fc.constantFrom(...texts, ...documents), fc.boolean())
    .map(([name, value, isEncoded]) => `${name}=${isEncoded ? encodeURIComponent(value) : value}`),
)

/** The query as sent: malformed, or thousands of parameters. */
export const arbitraryQuery: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: arbitraryParameter },
  { weight: 2, arbitrary: fc.tuple(arbitraryParameter, arbitraryParameter).map((two) => two.join('&')) },
  { weight: 2, arbitrary: fc.constantFrom(...oddNames).map((name) => `${encodeURIComponent(name)}=1`) },
  { weight: 1, arbitrary: fc.webQueryParameters() },
  { weight: 1, arbitrary: repeat(7000, (count) => 'a&'.repeat(count)) },
  { weight: 1, arbitrary: repeat(2500, (count) => Array.from({ length: count }, (_, at) => `p${at}`).join('&')) },
  { weight: 1, arbitrary: repeat(1500, (count) => 'chainId=1&'.repeat(count)) },
  { weight: 1, arbitrary: repeat(20_000, (length) => `chainId=${'9'.repeat(length)}`) },
  { weight: 1, arbitrary: repeat(15_000, (depth) => `input=${'['.repeat(depth)}`) },
)

function repeat(max: number, make: (count: number) => string): fc.Arbitrary<string> {
  return fc.integer({ min: 5, max }).map(make)
}

import fc from 'fast-check'
import type { ValidCall } from './createValidCalls.ts'
import { oddNames } from './oddNames.ts'

const insertions = [
  '%',
  '%2',
  '%zz',
  '%00',
  '%ff',
  '%c0%af',
  '%ed%a0%80',
  '%2e%2e',
  '%2f',
  '%252f',
  '%25',
  '%0d%0a',
  '%20',
  '%09',
  '/',
  '//',
  '/./',
  '/../',
  '/..;/',
  ';',
  ';a=b',
  '\\',
  '/.',
  '..',
  '#',
  '#x',
  '@',
  ':',
  '*',
  '+',
  '~',
  '!',
  '$',
  '|',
  'é',
  '💥',
  '\u202E',
  '%F0%9F%92%A5',
  ' ',
  '\t',
  '[',
  ']',
  '{',
  '}',
  '^',
  '`',
  '"',
  '<',
  '>',
  '.',
  ',',
  '&',
  '=',
  '?',
]
const paths = [
  '/',
  '//',
  '/.',
  '/..',
  '/*',
  '*',
  '/%',
  '/?',
  '/??',
  '/#',
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/',
  '/api/v1//',
  '/API/v1/pools',
  '/api/v1/Pools',
  '/api/v2/pools',
  '/trpc',
  '/trpc/',
  '/trpc//',
  '/trpc/.',
  '/trpc/,',
  '/trpc/%2C',
  '/health',
  '/health/',
  '/HEALTH',
  '/%68ealth',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/',
  '/docs/errors',
  '/docs/../api/v1/pools',
  '/docs/reference.js/',
  '/%61pi/v1/pools',
  '/%74rpc/pools.list',
  '/favicon.ico',
  '/.env',
  '/../../../../etc/passwd',
  '/api/v1/../../package.json',
  '/api/v1/pools/%2e%2e%2fadmin',
  '/api/v1/admin/../pools',
]

/** An invalid path: misspelt, badly encoded, very long or unknown. */
export function arbitraryPath({ path }: ValidCall): fc.Arbitrary<string> {
  const at = fc.nat({ max: path.length - 1 })
  const insert = (index: number, odd: string) => path.slice(0, index + 1) + odd + path.slice(index + 1)
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(at, fc.constantFrom(...insertions)).map(([index, odd]) => insert(index, odd)) },
    { weight: 2, arbitrary: at.map((index) => encodeAt(path, index)) },
    { weight: 2, arbitrary: fc.constantFrom(...insertions).map((odd) => path + odd) },
    { weight: 2, arbitrary: fc.constantFrom(...oddNames).map((name) => replaceLast(path, name)) },
    { weight: 2, arbitrary: fc.constantFrom(...paths) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 100, max: 30_000 }).map((length) => replaceLast(path, 'x'.repeat(length))),
    },
    { weight: 1, arbitrary: fc.integer({ min: 10, max: 5000 }).map((count) => path + '/a'.repeat(count)) },
    { weight: 1, arbitrary: fc.integer({ min: 10, max: 3000 }).map((count) => path + '%41'.repeat(count)) },
    { weight: 1, arbitrary: fc.webPath().map((odd) => path + odd) },
  )
}

function encodeAt(path: string, index: number): string {
  return `${path.slice(0, index)}%${path.charCodeAt(index).toString(16)}${path.slice(index + 1)}`
}

function replaceLast(path: string, name: string): string {
  const last = Math.max(path.lastIndexOf('/'), path.lastIndexOf('.'))
  return path.slice(0, last + 1) + encodeURIComponent(name)
}

import { expect, it } from 'vitest'
import { parseRateLimit } from './parseRateLimit.ts'

it('the windows of a key have the limits of the policy and the remaining calls', () => {
  const headers = new Headers({
    'RateLimit-Policy': '"standard";q=100;w=900, "burst";q=10;w=1, "nodes";q=60000;w=900',
    RateLimit: '"standard";r=97;t=812, "burst";r=9;t=1, "nodes";r=59994;t=812',
  })
  expect(parseRateLimit(headers)).toEqual([
    { name: 'standard', limit: 100, windowSeconds: 900, remaining: 97, resetSeconds: 812 },
    { name: 'burst', limit: 10, windowSeconds: 1, remaining: 9, resetSeconds: 1 },
    { name: 'nodes', limit: 60_000, windowSeconds: 900, remaining: 59_994, resetSeconds: 812 },
  ])
})

it('a key without limits has no windows', () => {
  expect(parseRateLimit(new Headers())).toBeUndefined()
})

it('a window without a state in the response has all of its calls left', () => {
  expect(parseRateLimit(new Headers({ 'RateLimit-Policy': '"burst";q=10;w=1' }))).toEqual([
    { name: 'burst', limit: 10, windowSeconds: 1, remaining: 10, resetSeconds: 1 },
  ])
})

import { expect, it } from 'vitest'
import { toSafeEcho } from './toSafeEcho.ts'

it.each([
  ['short', 'short'],
  ['x'.repeat(101), `${'x'.repeat(100)}…`],
  ['\uD800', '\uFFFD'],
  [42, 42],
  [undefined, undefined],
  [{ secret: 1 }, undefined],
  [null, null],
])('an error response quotes %j as %j', (value, echoed) => {
  expect(toSafeEcho(value)).toEqual(echoed)
})

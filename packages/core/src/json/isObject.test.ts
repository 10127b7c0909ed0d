import { expect, it } from 'vitest'
import { isObject } from './isObject.ts'

it('objects and arrays have fields, and null and plain values have none', () => {
  expect([{}, { a: 1 }, [], new Date()].map(isObject)).toEqual([true, true, true, true])
  expect([null, undefined, '', 'text', 0, 1n, true, () => {}].filter(isObject)).toEqual([])
})

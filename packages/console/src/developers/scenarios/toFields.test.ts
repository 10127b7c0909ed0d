import { expect, it } from 'vitest'
import { toFields } from './toFields.ts'

const options = {
  symbol: { type: 'name', of: 'oracles', description: '', isOptional: true },
  percent: { type: 'number', min: -99, max: 1000, description: '' },
} as const

it.each([
  [
    { symbol: 'tAUD', percent: '-5' },
    { symbol: 'tAUD', percent: -5 },
  ],
  [{ symbol: '', percent: '0' }, { percent: 0 }],
  [{ percent: '2.5', other: 'x' }, { percent: 2.5 }],
  [{}, {}],
])('the entries %j are the fields %j', (entered, fields) => {
  expect(toFields({ options }, entered)).toEqual(fields)
})

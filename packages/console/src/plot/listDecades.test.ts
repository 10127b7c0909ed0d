import { expect, it } from 'vitest'
import { listDecades } from './listDecades.ts'

const labels = (min: number, max: number, maxCount = 20) =>
  listDecades({ min, max }, maxCount).map(({ label }) => label)

it('the powers of ten in a range are listed, its ends included', () => {
  expect(labels(0.01, 1000)).toEqual(['0.01', '0.1', '1', '10', '100', '1k'])
  expect(labels(0.02, 999)).toEqual(['0.1', '1', '10', '100'])
})

it('few ticks are evenly spaced, up to the largest', () => {
  expect(labels(0.000002, 767_813, 5)).toEqual(['0.0001', '0.1', '100', '100k'])
  expect(labels(1, 1e6, 3)).toEqual(['1', '1k', '1M'])
})

it('the smallest and the largest are short', () => {
  expect(labels(1e-18, 1e-17)).toEqual(['1e-18', '1e-17'])
  expect(labels(1e9, 1e15)).toEqual(['1B', '10B', '100B', '1T', '10T', '100T', '1000T'])
})

it('a range without a power of ten has no ticks', () => {
  expect(labels(2, 9)).toEqual([])
})

import { expect, it } from 'vitest'
import { listDecades, listTicks, toPosition, toShare } from './Plot.tsx'

it.each([
  [0, 1.3, 3, ['0', '0.5', '1']],
  [-0.11, 0.01, 3, ['−0.1', '−0.05', '0']],
  [-8794.8, 1256, 5, ['−8k', '−6k', '−4k', '−2k', '0']],
  [0, 198_505, 4, ['0', '50k', '100k', '150k']],
  [0, 74, 4, ['0', '20', '40', '60']],
  [0, 2e-18, 2, ['0', '1e-18', '2e-18']],
  [0, 0.000003, 3, ['0', '0.000001', '0.000002', '0.000003']],
])('from %d to %d, about %i ticks are %j', (from, to, count, labels) => {
  expect(listTicks({ from, to }, count).map(({ label }) => label)).toEqual(labels)
})

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

it.each([
  ['0', 0],
  ['-0.325600', -0.3256],
  ['767813.267813', 767_813.267813],
  ['0.000000000000000001', 1e-18],
])('the amount %s is placed at %d', (amount, position) => {
  expect(toPosition(amount)).toBe(position)
})

it.each(['', ' ', 'tAUD', '1,000', 'Infinity'])('error: "%s" is not an amount', (text) => {
  expect(() => toPosition(text)).toThrow(RangeError)
})

it.each([
  [1n, 4n, 0.25],
  [-1n, 4n, -0.25],
  [5n, 4n, 1.25],
  [0n, 4n, 0],
  [3n, 0n, 0],
  [10n ** 40n, 3n * 10n ** 40n, 0.333333333333],
])('%d of %d is the share %d', (part, whole, share) => {
  expect(toShare(part, whole)).toBe(share)
})

import { expect, it } from 'vitest'
import { listTicks } from './listTicks.ts'

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

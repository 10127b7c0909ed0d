import { expect, it } from 'vitest'
import { describeActive, toFields } from './Scenario.ts'

const move = { scenario: 'price-move', options: { symbol: 'tAUD', percent: -5 } }
const stale = { scenario: 'stale-price', options: {} }
const chains = [
  { chainId: 1, active: [move, stale, move] },
  { chainId: 2, active: [{ ...move, options: { symbol: 'tEUR', percent: 1 } }] },
]
const describeIn = (name: string) => describeActive(name, { chains, nameOfChain: (chainId) => `Chain ${chainId}` })

it('an active fault is described by its chain and its options, once for all equal ones', () => {
  expect(describeIn('price-move')).toEqual([
    'Chain 1, symbol tAUD, percent -5, 2 times',
    'Chain 2, symbol tEUR, percent 1',
  ])
  expect(describeIn('stale-price')).toEqual(['Chain 1'])
  expect(describeIn('reorg')).toEqual([])
})

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

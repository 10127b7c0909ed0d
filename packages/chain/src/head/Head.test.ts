import { expect, it } from 'vitest'
import { toHead } from './Head.ts'

const hash = `0x${'a'.repeat(64)}`
const block = { number: '0x2', hash, timestamp: '0x65', parentHash: hash }

it('a block becomes a head, also without its parent', () => {
  expect(toHead(block)).toEqual({ number: 2n, hash, timestampSeconds: 101n, parentHash: hash })
  expect(toHead({ ...block, parentHash: 7 })).toEqual({ number: 2n, hash, timestampSeconds: 101n })
})

it.each([
  ['a string', 'block'],
  ['null', null],
  ['a block without a hash', { ...block, hash: null }],
  ['a block whose number has more digits than a JavaScript number', { ...block, number: `0x${'1'.repeat(14)}` }],
  ['a block whose number is a decimal', { ...block, number: 2 }],
  ['a block after the year 9999', { ...block, timestamp: `0x${(253_402_300_800).toString(16)}` }],
])('error: %s is no head', (_, value) => {
  expect(() => toHead(value)).toThrow(/the node returns/)
})

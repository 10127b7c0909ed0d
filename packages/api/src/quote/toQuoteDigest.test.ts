import { keccak256 } from 'viem'
import { expect, it } from 'vitest'
import { toQuoteDigest } from './toQuoteDigest.ts'

it('the digest of a quote is the keccak256 of its UTF-8 bytes', () => {
  // Known answers of the hash.
  expect(toQuoteDigest('')).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
  expect(toQuoteDigest('abc')).toBe('0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45')
  const text = 'rC0v-_3kP9xQ.eyJ2ZXJzaW9uIjoxfQ.4GaPXKvToNsNhb7Ezqb24Mew7f24gts4OriR0_KqDzI'
  expect(toQuoteDigest(text)).toBe(keccak256(new TextEncoder().encode(text)))
})

it('quotes that differ in one character have different digests', () => {
  expect(toQuoteDigest('a.b.c')).not.toBe(toQuoteDigest('a.b.d'))
})

import { keccak256, stringToHex } from 'viem'
import { expect, it } from 'vitest'
import { toQuoteDigest } from './ExpectedConversion.ts'

it('the digest of a quote is the keccak256 of its UTF-8 bytes', () => {
  // The known keccak256 hash of "abc".
  expect(toQuoteDigest('abc')).toBe('0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45')
  for (const text of [
    '',
    'rC0v-_3kP9xQ.eyJ2ZXJzaW9uIjoxfQ.4GaPXKvToNsNhb7Ezqb24Mew7f24gts4OriR0_KqDzI',
    'ü€'.repeat(500),
  ]) {
    expect(toQuoteDigest(text)).toBe(keccak256(stringToHex(text)))
  }
})

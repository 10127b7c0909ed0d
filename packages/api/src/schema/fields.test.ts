import { expect, it } from 'vitest'
import type { z } from 'zod'
import { address, hexBytes, transactionHash } from './fields.ts'

const hash = '0xABCDEFabcdef0123456789ABCDEFabcdef0123456789ABCDEFabcdef01234567'

it.each<[string, z.ZodType, string, string]>([
  ['an address', address, '0x5fbdb2315678afecb367f032d93f642f64180aa3', '0x5FbDB2315678afecb367f032d93F642f64180aa3'],
  ['bytes', hexBytes, '0xABcd', '0xabcd'],
  ['the hash of a transaction', transactionHash, hash, hash.toLowerCase()],
])('%s has one spelling after it was parsed', (_, schema, text, expected) => {
  expect(schema.parse(text)).toBe(expected)
})

const checksummed = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

it.each([
  ['a wrong checksum', '0x5fbDB2315678afecb367f032d93F642f64180aa3'],
  ['a digit too many', `${checksummed}0`],
])('error: svc/invalid-address for an address with %s', (_, text) => {
  expect(address.safeParse(text).error?.issues).toMatchObject([{ params: { code: 'svc/invalid-address' } }])
})

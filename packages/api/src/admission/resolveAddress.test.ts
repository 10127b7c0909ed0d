import { expect, it } from 'vitest'
import { createLoggedAddress, resolveAddress } from './resolveAddress.ts'

const from = (forwarded: string | undefined, proxies: number, socket = '192.0.2.9') =>
  resolveAddress(new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }), socket, proxies)

it('the client address is the address of the connection unless a proxy is trusted', () => {
  expect(from('198.51.100.1', 0)).toBe('192.0.2.9')
  expect(from('198.51.100.1', 1)).toBe('198.51.100.1')
})

it('the client address is the entry of the outermost trusted proxy, never one that a client may have forged', () => {
  expect(from('10.0.0.1, 198.51.100.1', 1)).toBe('198.51.100.1')
  expect(from('10.0.0.1, 198.51.100.1, 203.0.113.5', 2)).toBe('198.51.100.1')
  expect(from('198.51.100.1', 2)).toBe('198.51.100.1')
})

it.each([
  ['203.0.113.9:51234', '203.0.113.9'],
  ['10.0.0.1:1, 203.0.113.9:51234', '203.0.113.9'],
  ['[2001:db8:0:1::7]:443', '2001:db8:0:1::/64'],
  ['[2001:db8:0:1::7]', '2001:db8:0:1::/64'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
])('the client address is read from the entry %s without its port', (forwarded, address) => {
  expect(from(forwarded, 1)).toBe(address)
})

it.each([
  undefined,
  'unknown',
  '198.51.100.1:port',
  '[198.51.100.1]:80',
  '2001:db8::7]:443',
  '0xcb007109',
  '0313.0.0161.011',
  '198.51.100.256',
  'fe80::1%eth0',
  '[2001:db8::7',
  '"198.51.100.1"',
])('the client address is the address of the connection if the entry of the proxy is %j', (forwarded) => {
  expect(from(forwarded, 1)).toBe('192.0.2.9')
})

it('the client address is the same for all spellings of an IPv4 address and for all addresses of an IPv6 /64', () => {
  expect(from(undefined, 0, '::ffff:192.0.2.9')).toBe('192.0.2.9')
  expect(from(undefined, 0, '2001:db8:0:1::7')).toBe('2001:db8:0:1::/64')
  expect(from(undefined, 0, '2001:0db8::1:ffff:0:0:1')).toBe('2001:db8:0:1::/64')
})

it('the log names the address of a client not at all, as a hash of this process, or in full', () => {
  const exchange = { request: new Request('http://service/'), address: '192.0.2.1' }
  const [off, hash, otherHash, full] = (['off', 'hash', 'hash', 'full'] as const).map((logAddress) =>
    createLoggedAddress({ logAddress, trustedProxies: 0 })?.(exchange),
  )
  expect([off, full]).toEqual([undefined, '192.0.2.1'])
  expect(hash).toMatch(/^[\da-f]{16}$/)
  expect(otherHash).not.toBe(hash)
})

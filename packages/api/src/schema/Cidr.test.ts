import { expect, it } from 'vitest'
import * as Cidr from './Cidr.ts'

it.each([
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['203.0.113.9', '203.0.113.9/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['::/0', '::/0'],
  ['2001:DB8:0:0::/32', '2001:db8::/32'],
  ['2001:db8::1', '2001:db8::1/128'],
  ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.9/32'],
])('the network %s is %s', (text, formatted) => {
  const cidr = Cidr.parse(text)
  expect(cidr && Cidr.format(cidr)).toBe(formatted)
  expect(Cidr.findError(text)).toBeUndefined()
})

it.each([
  ['203.0.113.129/25', '203.0.113.128/25'],
  ['2001:db8::1/32', '2001:db8::/32'],
  ['::ffff:203.0.113.9/120', '203.0.113.0/24'],
])('the error of %s with bits after its prefix names %s', (text, network) => {
  expect(Cidr.findError(text)).toBe(`It has bits after its prefix: write ${network}`)
})

it.each(['', '10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0/8', '010.0.0.1', 'fe80::1%eth0', 'shop.example'])(
  '"%s" is not a network',
  (text) => {
    expect(Cidr.parse(text)).toBeUndefined()
    expect(Cidr.findError(text)).toContain('not an IPv4 or IPv6 address')
  },
)

it('an address is listed by networks of its family, with its zone ignored and a mapped address as IPv4', () => {
  const isListed = (network: string, address: string) => {
    const cidr = Cidr.parse(network)
    return cidr !== undefined && Cidr.isListed([cidr], address)
  }
  expect(isListed('0.0.0.0/0', '::ffff:203.0.113.9')).toBe(true)
  expect(isListed('0.0.0.0/0', '::1')).toBe(false)
  expect(isListed('::/0', '203.0.113.9')).toBe(false)
  expect(isListed('::/0', 'fe80::1%eth0')).toBe(true)
  expect(isListed('203.0.113.128/25', '203.0.113.127')).toBe(false)
  expect(isListed('203.0.113.128/25', '203.0.113.128')).toBe(true)
  expect(isListed('::/0', 'unknown')).toBe(false)
  expect(isListed('0.0.0.0/0', '')).toBe(false)
})

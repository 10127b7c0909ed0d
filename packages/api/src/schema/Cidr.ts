import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>

/** A network: its first address, and the length of its prefix in bits. */
export type Cidr = readonly [address: Address, prefixLength: number]

/**
 * Parses a network in CIDR notation, or an address as the network of itself. An IPv4-mapped IPv6 network is its IPv4
 * network. Returns undefined for any other text.
 */
export function parse(text: string): Cidr | undefined {
  const [, address, prefix] = /^([0-9A-Fa-f:.]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? []
  if (address === undefined || !isPlain(address)) return undefined
  const parsed = ipaddr.parse(address)
  const bits = parsed.toByteArray().length * 8
  const length = prefix === undefined ? bits : Number(prefix)
  if (length > bits) return undefined
  if ('isIPv4MappedAddress' in parsed && parsed.isIPv4MappedAddress() && length >= mappedBits)
    return [parsed.toIPv4Address(), length - mappedBits]
  return [parsed, length]
}

/** Formats a network: its shortest address and its prefix, for example `10.0.0.0/8` and `2001:db8::/32`. */
export function format([address, length]: Cidr): string {
  return `${address.toString()}/${length}`
}

/** Returns why a text is not a network; undefined for a network. */
export function findError(text: string): string | undefined {
  const cidr = parse(text)
  if (!cidr) return 'It is not an IPv4 or IPv6 address or network, such as 203.0.113.0/24'
  const network = toNetwork(cidr)
  return format(network) === format(cidr) ? undefined : `It has bits after its prefix: write ${format(network)}`
}

/** Whether one of the networks contains an address. An IPv4-mapped address is its IPv4 address. */
export function isListed(cidrs: readonly Cidr[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return cidrs.some(([first, length]) => first.kind() === address.kind() && address.match(first, length))
}

// The length of the prefix `::ffff:0:0`.
const mappedBits = 96

/** Whether a text is an address, and not an IPv4 address with octal, hexadecimal or missing parts, which programs read differently. */
function isPlain(address: string): boolean {
  return address.includes(':') ? ipaddr.isValid(address) : ipaddr.IPv4.isValidFourPartDecimal(address)
}

function toNetwork([address, length]: Cidr): Cidr {
  const bytes = address
    .toByteArray()
    .map((byte, index) => byte & (0xff00 >> Math.max(0, Math.min(8, length - index * 8))))
  return [ipaddr.fromByteArray(bytes), length]
}

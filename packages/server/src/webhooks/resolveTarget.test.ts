import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDnsResolver, resolveTarget, type ResolveHost } from './resolveTarget.ts'

const answers: Readonly<Record<string, readonly string[]>> = {
  'shop.example': ['8.8.8.8'],
  'mixed.example': ['8.8.8.8', '10.0.0.1'],
  'private.example': ['127.0.0.1'],
}

const server = createSocket('udp4')
let resolveHost: ResolveHost

beforeAll(async () => {
  server.on('message', (query, { port, address }: RemoteInfo) => server.send(toResponse(query), port, address))
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  resolveHost = createDnsResolver([`127.0.0.1:${server.address().port}`])
})

afterAll(() => void server.close())

const resolve = (url: string, targets: 'public' | 'local' = 'public') =>
  resolveTarget(new URL(url), { resolveHost, targets })

describe('the address of a receiver', () => {
  it('a name is resolved by DNS to the addresses to connect to', async () => {
    expect(await resolve('https://shop.example/')).toEqual(['8.8.8.8'])
    expect(await resolve('http://private.example/', 'local')).toEqual(['127.0.0.1'])
    expect(await resolve('https://[2606:2800:220:1:248:1893:25c8:1946]/')).toEqual([
      '2606:2800:220:1:248:1893:25c8:1946',
    ])
  })

  it.each([
    'https://private.example/',
    'https://mixed.example/',
    'https://127.1/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'http://shop.example/',
  ])('%s is refused, since it is not public', async (url) => {
    await expect(resolve(url)).rejects.toMatchObject({ reason: 'address-not-public' })
  })

  it('a name that DNS does not have is not found', async () => {
    await expect(resolve('https://unknown.example/')).rejects.toMatchObject({ reason: 'name-not-found' })
  })
})

/** Returns the response of a name server with the IPv4 addresses of a name, possibly none. */
function toResponse(query: Buffer): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const isIpv4 = query.readUInt16BE(at + 1) === 1
  const addresses = isIpv4 ? (answers[labels.join('.')] ?? []) : []
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x81_80, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([header, query.subarray(12, at + 5), ...records])
}

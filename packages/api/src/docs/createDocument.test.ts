import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { createDocument } from './createDocument.ts'

const text = 'a document. '.repeat(20_000)

const create = (read: () => Promise<Uint8Array> = async () => new TextEncoder().encode(text)) =>
  createDocument({ mediaType: 'text/plain', maxAgeSeconds: 60, read })

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=0.1, br;q=0', 'gzip'],
] as const)('a document is compressed for a client that accepts "%s" by %s', async (accepted, encoding) => {
  const response = await create()(new Headers({ 'accept-encoding': accepted }))
  expect(response.headers.get('content-encoding')).toBe(encoding)
  const bytes = await bytesOf(response)
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  expect(decoders[encoding](bytes).toString()).toBe(text)
})

it.each([undefined, '', 'identity', 'br;q=0', 'zstd', '*'])(
  'a document is not compressed for a client that accepts %j',
  async (accepted) => {
    const response = await create()(new Headers(accepted === undefined ? {} : { 'accept-encoding': accepted }))
    expect(response.headers.get('content-encoding')).toBeNull()
    expect((await bytesOf(response)).toString()).toBe(text)
  },
)

it('a document that the client has is 304 without a body', async () => {
  const respond = create()
  const etag = (await respond(new Headers())).headers.get('etag') ?? ''
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await respond(new Headers({ 'if-none-match': known }))
    expect([response.status, response.body, response.headers.get('etag')], known).toEqual([304, null, etag])
  }
  expect((await respond(new Headers({ 'if-none-match': '"other"' }))).status).toBe(200)
  const compressed = await respond(new Headers({ 'if-none-match': etag, 'accept-encoding': 'br' }))
  expect(compressed.status, 'each encoding has its own tag').toBe(200)
  expect(compressed.headers.get('vary')).toBe('Accept-Encoding')
})

it('a document whose read has failed is read again by the next request', async () => {
  const read = vi.fn<() => Promise<Uint8Array>>().mockRejectedValueOnce(new Error('EMFILE'))
  const respond = create(read.mockResolvedValue(new TextEncoder().encode(text)))
  const headers = new Headers({ 'accept-encoding': 'br' })
  await expect(respond(headers)).rejects.toThrow('EMFILE')
  expect((await respond(headers)).status).toBe(200)
})

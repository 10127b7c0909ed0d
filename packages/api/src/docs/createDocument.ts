import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'

// Higher Brotli qualities take seconds for the largest document and save little.
const brotliQuality = 7
const chunkBytes = 65_536

const encoders = {
  br: (bytes: Uint8Array) => compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes: Uint8Array) => compressGzip(bytes),
  identity: async (bytes: Uint8Array) => bytes,
} as const satisfies Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/**
 * Creates a public document. It is read and compressed once, at its first request. All responses share its bytes.
 *
 * @param read returns its content
 */
export function createDocument({ mediaType, headers, read, ...caching }: Options): Document {
  const { maxAgeSeconds, isImmutable = false } = caching
  const encoded = new Map<Encoding, Promise<Encoded>>()
  const getEncoded = (encoding: Encoding) => {
    const cached = encoded.get(encoding)
    if (cached) return cached
    const created = encode(encoding, encoding === 'identity' ? read : async () => (await getEncoded('identity')).bytes)
    encoded.set(encoding, created)
    // A later request reads it again, for example once there are free file descriptors.
    created.catch(() => encoded.delete(encoding))
    return created
  }
  return async (request) => {
    const encoding = chooseEncoding(request.get('accept-encoding'))
    const { bytes, etag } = await getEncoded(encoding)
    const common = {
      ...headers,
      'cache-control': `public, max-age=${maxAgeSeconds}${isImmutable ? ', immutable' : ''}`,
      etag,
      vary: 'Accept-Encoding',
    }
    if (matches(request.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: common })
    const content = { 'content-type': mediaType, 'content-length': String(bytes.byteLength) }
    const contentEncoding = encoding === 'identity' ? {} : { 'content-encoding': encoding }
    return new Response(toStream(bytes), { headers: { ...common, ...content, ...contentEncoding } })
  }
}

type Options = {
  readonly mediaType: string
  /** How long clients may cache the document, in seconds. */
  readonly maxAgeSeconds: number
  /**
   * Whether the content never changes, so that clients need not request it when a page is reloaded. Default: false.
   */
  readonly isImmutable?: boolean
  readonly headers?: Readonly<Record<string, string>>
  readonly read: () => Promise<Uint8Array>
}

/** Returns the response to a request with these headers: 304 if the client has the document, or the best encoding. */
export type Document = (request: Headers) => Promise<Response>

type Encoding = keyof typeof encoders

type Encoded = { readonly bytes: Uint8Array; readonly etag: string }

async function encode(encoding: Encoding, read: () => Promise<Uint8Array>): Promise<Encoded> {
  const bytes = await encoders[encoding](await read())
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

/** Returns the encoding with the highest quality value. Of equal values, the smallest encoding wins. */
function chooseEncoding(accepted: string | null): Encoding {
  const qualities = parseAccept(accepted ?? '')
  const qualityOf = (encoding: Encoding) => qualities.find(({ type }) => type.toLowerCase() === encoding)?.q ?? 0
  const compressed = (['br', 'gzip'] as const).filter((encoding) => qualityOf(encoding) > 0)
  return compressed.toSorted((a, b) => qualityOf(b) - qualityOf(a))[0] ?? 'identity'
}

/** Returns whether a header `If-None-Match` contains an entity tag. Weak tags match too. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

/** Streams shared bytes in pieces. A response to a slow client holds one piece, not a copy of all bytes. */
function toStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + chunkBytes))
        at += chunkBytes
        if (at >= bytes.byteLength) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

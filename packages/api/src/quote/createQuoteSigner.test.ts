import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { assertNotExpired, type QuoteTerms } from './QuoteTerms.ts'
import { createQuoteSigner, type QuoteSecret } from './createQuoteSigner.ts'

const secret: QuoteSecret = { id: 'rC0v-_3kP9xQ', secret: Buffer.alloc(32, 7) }
const other: QuoteSecret = { id: 'AAAAAAAAAAAA', secret: Buffer.alloc(32, 8) }

const lookedUp: string[] = []

const signer = createQuoteSigner({
  secrets: {
    current: () => secret,
    find(id) {
      lookedUp.push(id)
      return [secret, other].find((known) => known.id === id)
    },
  },
})

const [usd, aud, eur] = [1, 2, 3].map((digit) => `0x${'0'.repeat(39)}${digit}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]

const hop: QuoteTerms['hops'][number] = {
  pool: '0xEb3c0e8b0D2e5b6fB1c93f9b8c2d6F1aAcE0b5d9',
  tokenIn: aud,
  tokenOut: usd,
  tokenInAnswer: '65120000',
  tokenOutAnswer: '100000000',
  epsilon: '500000000000000',
  decimalsIn: 6,
  decimalsOut: 6,
  pricing: 'local',
}

const terms: QuoteTerms = {
  version: 1,
  keyId: 'key_5Qm3xU8nW2aB',
  chainId: 84532,
  mode: 'exact-in',
  tokenIn: aud,
  tokenOut: eur,
  amountIn: '1000000000',
  amountOut: '600000000',
  limit: '599700000',
  execution: 'origin-swap',
  to: usd,
  pool: null,
  recipient: null,
  userAddress: null,
  clientReference: null,
  block: { number: 59, hash: `0x${'ab'.repeat(32)}`, timestamp: 1_795_241_536 },
  hops: [hop, { ...hop, tokenIn: usd, tokenOut: eur, pricing: 'on-chain' }],
  issuedAt: 1_795_241_536,
  expiresAt: 1_795_241_596,
}

const caller = { keyId: terms.keyId }

const codeOf = async (quote: string) =>
  await signer.verify(quote, caller).then(
    () => 'valid',
    ({ code }: { readonly code?: string }) => code,
  )

/** Signs any payload with the current secret, as a holder of it could. */
function signPayload(payload: string, { id, secret: key } = secret): string {
  const signed = `${id}.${payload}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

const toPayload = (text: string) => Buffer.from(text).toString('base64url')

describe('a quote', () => {
  const quote = signer.sign(terms)

  it('a quote that was signed returns its terms, on any replica with the secret', async () => {
    expect(quote, 'JSON, URLs and forms escape none of its characters').toMatch(/^[A-Za-z0-9_.-]+$/)
    expect(await signer.verify(quote, caller)).toEqual(terms)
    const replica = createQuoteSigner({ secrets: { current: () => other, find: async () => secret } })
    expect(await replica.verify(quote, caller)).toEqual(terms)
  })

  it.each([
    ['an exact output', { mode: 'exact-out', execution: 'target-swap', pool: usd, recipient: eur, userAddress: aud }],
    ['the largest amounts', { amountIn: String(2n ** 256n - 1n), amountOut: '0', limit: String(2n ** 255n) }],
    ['one hop', { hops: [hop] }],
    ['a reference of any characters', { clientReference: 'Ordre № 42 «élan» 🙂 "\\/\u0000\u007F\uFEFF\u2028\uD800' }],
    ['an empty reference', { clientReference: '' }],
    ['the longest reference', { clientReference: '\u0000'.repeat(128) }],
  ] as const)('a quote with %s returns its terms', async (_, change) => {
    const own = { ...terms, ...change } as QuoteTerms
    expect(await signer.verify(signer.sign(own), caller)).toEqual(own)
  })

  it('a quote has one text, regardless of the order of the fields in its terms', () => {
    const reverse = (value: object) => Object.fromEntries(Object.entries(value).toReversed())
    const reversed = { ...reverse(terms), block: reverse(terms.block) } as QuoteTerms
    expect(JSON.stringify(reversed)).not.toBe(JSON.stringify(terms))
    expect(signer.sign(reversed)).toBe(quote)
  })

  it('error: svc/quote-invalid for a quote with any one bit flipped', async () => {
    const bytes = Buffer.from(quote)
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(await codeOf(flipped.toString('latin1')), `bit ${bit}`).toBe('svc/quote-invalid')
    }
  })

  it.each([
    ['empty', ''],
    ['without a signature', quote.slice(0, quote.lastIndexOf('.'))],
    ['with a line break', `${quote}\n`],
    ['with a fourth part', `${quote}.e30`],
    ['in the other alphabet of base64', quote.replaceAll('-', '+').replaceAll('_', '/')],
    ['with an unsigned payload', quote.replace(/\..*$/, '..')],
    ['longer than any quote', `${quote.slice(0, 13)}${'A'.repeat(1_000_000)}${quote.slice(-44)}`],
    ['signed with an unknown secret', signPayload(quote.split('.')[1] ?? '', { ...secret, id: 'BBBBBBBBBBBB' })],
    ['with the id of another secret', quote.replace(secret.id, other.id)],
  ])('error: svc/quote-invalid for a quote %s', async (_, text) => {
    expect(await codeOf(text)).toBe('svc/quote-invalid')
  })

  it('error: svc/quote-invalid for another base64url of the same signature, or of the same terms even when signed', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    // The last digit of 32 bytes has two bits that mean nothing, which decoders ignore.
    const respell = (text: string) => text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.slice(-1)) + 1)
    const sameBytes = respell(quote)
    expect(Buffer.from(sameBytes.split('.')[2] ?? '', 'base64url')).toEqual(
      Buffer.from(quote.split('.')[2] ?? '', 'base64url'),
    )
    expect(await codeOf(sameBytes)).toBe('svc/quote-invalid')
    const lengths = [0, 1, 2].map((count) => JSON.stringify({ ...terms, keyId: 'k'.repeat(10 + count) }))
    const text = lengths.find((json) => Buffer.from(json).length % 3 > 0) ?? ''
    const payload = toPayload(text)
    expect(Buffer.from(respell(payload), 'base64url').toString()).toBe(text)
    expect(await signer.verify(signPayload(payload), { keyId: JSON.parse(text).keyId })).toMatchObject({ version: 1 })
    expect(await codeOf(signPayload(respell(payload)))).toBe('svc/quote-invalid')
  })

  const json = JSON.stringify(terms)

  it.each([
    ['another order of fields', JSON.stringify(Object.fromEntries(Object.entries(terms).toReversed()))],
    ['another order in a part', json.replace(/"block":{("number":59),(.*?)}/, '"block":{$2,$1}')],
    ['an escaped letter', json.replace('exact-in', String.raw`\u0065xact-in`)],
    ['an amount with a leading zero', json.replace('"1000000000"', '"01000000000"')],
    ['a field twice', json.replace('"version":1', '"version":1,"version":1')],
    ['an unknown field', json.replace('"version":1', '"version":1,"extra":1')],
    ['an unknown field of a part', json.replace('"number":59', '"number":59,"extra":1')],
    ['a field missing', json.replace('"recipient":null,', '')],
    ['another version', json.replace('"version":1', '"version":2')],
    ['an unknown chain', json.replace('84532', '1')],
    ['a third hop', JSON.stringify({ ...terms, hops: [hop, hop, hop] })],
    ['a byte order mark', `\uFEFF${json}`],
    ['no object', 'null'],
    ['no JSON', 'quote'],
  ])('error: svc/quote-invalid for terms with %s, even when they are signed', async (_, text) => {
    expect(text).not.toBe(json)
    expect(await codeOf(signPayload(toPayload(text)))).toBe('svc/quote-invalid')
    expect(await codeOf(signPayload(toPayload(json)))).toBe('valid')
  })

  it('error: svc/quote-invalid for terms whose text is not UTF-8, even when they are signed', async () => {
    const bytes = Buffer.from(json.replace('"clientReference":null', '"clientReference":"~"'))
    bytes[bytes.indexOf('~')] = 0xff
    expect(await codeOf(signPayload(bytes.toString('base64url')))).toBe('svc/quote-invalid')
  })

  it('a malformed quote costs no look-up of a secret', async () => {
    lookedUp.length = 0
    for (const text of ['', 'quote', `${'x'.repeat(13)}${quote.slice(12)}`, `' or 1=1--.${quote.slice(13)}`]) {
      expect(await codeOf(text)).toBe('svc/quote-invalid')
    }
    expect(lookedUp).toEqual([])
  })
})

describe('the expiry of a quote', () => {
  const atMs = terms.expiresAt * 1000
  const at = BigInt(terms.expiresAt)

  it('a quote is valid until the second before its expiry', () => {
    expect(() => assertNotExpired(terms, { headSeconds: at - 1n, nowMs: atMs - 1 })).not.toThrow()
  })

  it.each([
    ["the newest block's time", { headSeconds: at, nowMs: 0 }],
    ['the wall clock', { headSeconds: 0n, nowMs: atMs }],
  ])('error: svc/quote-expired once %s has reached the expiry', (_, clocks) => {
    expect(() => assertNotExpired(terms, clocks)).toThrow(
      expect.objectContaining({ code: 'svc/quote-expired', details: { expiresAt: '2026-11-21T06:13:16.000Z' } }),
    )
  })
})

import { createHmac, timingSafeEqual } from 'node:crypto'
import { Errors } from '@agio/core'
import { keccak256, stringToHex, type Hex } from 'viem'
import { decodeTerms, encodeTerms, type QuoteTerms } from './QuoteTerms.ts'

/**
 * Creates the signer of quotes. The text of a quote is `<id of the secret>.<terms>.<signature>`: the terms as base64url
 * of their JSON, the signature as base64url of the HMAC-SHA256 of everything before it. It contains only letters,
 * digits, `-`, `_` and `.`, so it needs no escaping in JSON and URLs.
 *
 * @example
 * const quote = signer.sign(terms)
 * const same = await signer.verify(quote, { keyId: terms.keyId })
 */
export function createQuoteSigner({ secrets }: Dependencies) {
  return {
    /** Returns the text of a quote, signed with the current secret. */
    sign(terms: QuoteTerms): string {
      const { id, secret } = secrets.current()
      const signed = `${id}.${encodeTerms(terms)}`
      return `${signed}.${createSignature(signed, secret)}`
    },
    /**
     * Returns the terms of a quote, even if it has expired (see `assertNotExpired`). A secret in memory needs no round
     * trip.
     *
     * @throws `svc/quote-invalid` unless `sign` returned exactly this text; `svc/quote-not-yours` if the quote was issued
     * to another API key; `svc/storage-unavailable` if its secret is not in memory and cannot be looked up
     */
    async verify(text: string, { keyId }: { readonly keyId: string | undefined }): Promise<QuoteTerms> {
      const [, signed, secretId, payload, signature] = (text.length <= maxLength && quotePattern.exec(text)) || []
      if (!signed || !secretId || !payload || !signature) throw Errors.quoteInvalid({ reason: 'it is malformed' })
      const found = secrets.find(secretId)
      const secret = found instanceof Promise ? await found : found
      if (!secret) throw Errors.quoteInvalid({ reason: 'it was signed with an unknown secret' })
      if (!isSame(signature, createSignature(signed, secret.secret)))
        throw Errors.quoteInvalid({ reason: 'its signature is wrong' })
      const terms = decodeTerms(payload)
      if (!terms) throw Errors.quoteInvalid({ reason: 'this version does not issue terms of this form' })
      if (terms.keyId !== keyId) throw Errors.quoteNotYours()
      return terms
    },
  }
}

type Dependencies = { readonly secrets: QuoteSecrets }

/** Signs quotes and verifies them. */
export type QuoteSigner = ReturnType<typeof createQuoteSigner>

/** The secrets that sign quotes, which all processes of the service share. */
type QuoteSecrets = {
  /** Returns the secret that signs now. */
  current(): QuoteSecret
  /** Returns the secret with an id; undefined if the secret does not exist or is too old. */
  find(id: string): QuoteSecret | undefined | Promise<QuoteSecret | undefined>
}

/** A secret of at least 256 bits. Its id, 12 letters, digits, `-` and `_`, is part of its quotes. */
export type QuoteSecret = { readonly id: string; readonly secret: Uint8Array }

const maxLength = 4096

const quotePattern = /^(([\w-]{12})\.([\w-]+))\.([\w-]{43})$/

function createSignature(signed: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(signed).digest('base64url')
}

// Compares texts, not the encoded bytes, because several texts encode the same bytes.
function isSame(signature: string, expected: string): boolean {
  const [a, b] = [Buffer.from(signature), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Returns the digest of a quote: the keccak256 of the UTF-8 bytes of its text, 32 bytes. A signature for Permit2
 * contains the digest as witness and nonce, so that it pays only this quote, and only once.
 */
export function toQuoteDigest(quote: string): Hex {
  return keccak256(stringToHex(quote))
}

import fc from 'fast-check'
import { arbitraryBatch } from './arbitraryBatch.ts'
import { arbitraryBytes } from './arbitraryBytes.ts'
import { arbitraryHeaders } from './arbitraryHeaders.ts'
import { arbitraryInput } from './arbitraryInput.ts'
import { arbitraryLargeInput } from './arbitraryLargeInput.ts'
import { arbitraryMedia } from './arbitraryMedia.ts'
import { arbitraryMethod } from './arbitraryMethod.ts'
import { arbitraryPath } from './arbitraryPath.ts'
import { arbitraryQuery } from './arbitraryQuery.ts'
import type { ValidCall } from './createValidCalls.ts'
import type { FuzzRequest, Headers, Kind } from './FuzzRequest.ts'
import { oddNames } from './oddNames.ts'
import { writeCall, writeInput } from './writeCall.ts'

const json = ['content-type', 'application/json'] as const

/**
 * Requests of each kind, derived from valid calls with a key. Some have an `Origin` header.
 *
 * @param keys the headers with a valid API key and the admin key
 */
export function arbitraryRequests(
  validCalls: readonly ValidCall[],
  keys: Headers,
): Readonly<Record<RandomKind, fc.Arbitrary<FuzzRequest>>> {
  const validCall = chooseCall(validCalls)
  const inBody = chooseCall(validCalls.filter(({ place }) => place === 'body'))
  const call = (validCall: ValidCall, text?: string) => toRequest(validCall, keys, text)
  const kinds = {
    json: validCall.chain((validCall) => arbitraryInput(validCall).map((text) => call(validCall, text))),
    large: inBody.chain((validCall) => arbitraryLargeInput(validCall).map((text) => call(validCall, text))),
    bytes: inBody.chain((validCall) =>
      arbitraryBytes(writeInput(validCall, validCall.fields)).map((body) => ({ ...call(validCall), body })),
    ),
    media: fc
      .tuple(validCall, arbitraryMedia)
      .map(([validCall, media]) => ({ ...call(validCall), headers: [...keys, ...media] })),
    headers: fc.tuple(validCall, arbitraryHeaders, address, fc.nat()).map(([validCall, odd, from, at]) => {
      const { headers, ...rest } = call(validCall)
      return { ...rest, headers: [...headers.filter((_, index) => index !== at % (2 * headers.length)), ...odd, from] }
    }),
    method: fc.tuple(validCall, arbitraryMethod).map(([validCall, method]) => ({ ...call(validCall), method })),
    path: validCall.chain((validCall) =>
      arbitraryPath(validCall).map((path) => {
        const { target, ...rest } = call(validCall)
        return { ...rest, target: target.replace(validCall.path, () => path) }
      }),
    ),
    query: fc.tuple(validCall, arbitraryQuery).map(([validCall, query]) => {
      const { target, ...rest } = call(validCall)
      return { ...rest, target: `${target}${target.includes('?') ? '&' : '?'}${query}` }
    }),
    batch: arbitraryBatch(validCalls).map((batch) => ({
      ...batch,
      headers: [...keys, ...(batch.body ? [json] : []), ...batch.headers],
    })),
    unauthenticated: fc.tuple(validCall, arbitraryKey).map(([validCall, key]) => ({
      ...call(validCall),
      headers: [...call(validCall).headers.filter(([name]) => !name.startsWith('x-')), ...key, sharedAddress],
    })),
  } satisfies Record<RandomKind, fc.Arbitrary<Omit<FuzzRequest, 'kind'>>>
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, arbitrary]) => [
      kind,
      fc.tuple(arbitrary, origin).map(([request, origin]) => ({
        ...request,
        kind,
        headers: [...request.headers, ...origin],
      })),
    ]),
  ) as unknown as Record<RandomKind, fc.Arbitrary<FuzzRequest>>
}

/** A kind of random requests. */
export type RandomKind = Exclude<Kind, 'valid'>

/** The request of a call with keys, with another text as its input. */
export function toRequest(
  validCall: ValidCall,
  keys: Headers,
  text = writeInput(validCall, validCall.fields),
): Omit<FuzzRequest, 'kind'> {
  const { method, place, headers } = validCall
  const all = [...keys, ...headers, ...(place === 'body' ? [json] : [])]
  return { ...writeCall(validCall, text), method, headers: all }
}

// Most calls are of tRPC, which has more forms: both transports get as many requests.
function chooseCall(validCalls: readonly ValidCall[]): fc.Arbitrary<ValidCall> {
  const isRest = ({ form }: ValidCall) => form === 'REST'
  return fc.oneof(
    fc.constantFrom(...validCalls.filter(isRest)),
    fc.constantFrom(...validCalls.filter((validCall) => !isRest(validCall))),
  )
}

// Requests with an origin are handled by the CORS code too.
const origin: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 5, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('https://app.example', 'null', '*').map((from) => [['origin', from] as const]),
  },
)

// All from one address, so that the limiter rejects some of them.
const sharedAddress = ['x-forwarded-for', '203.0.113.2'] as const

// A request without a valid key is limited by address: these addresses are used by no other request.
const address = fc
  .ipV4()
  .filter((ip) => !/^(127|203|10)\./.test(ip))
  .map((ip) => ['x-forwarded-for', ip] as const)

const arbitraryKey: fc.Arbitrary<Headers> = fc.oneof(
  fc.constant([]),
  fc
    .constantFrom('', ' ', 'unknown', ...oddNames.filter((name) => /^[ -~]*$/.test(name)))
    .map((key) => [['x-api-key', key] as const]),
  fc.integer({ min: 1, max: 8000 }).map((length) => [['x-api-key', 'k'.repeat(length)] as const]),
  fc.constant([['x-api-key', 'a'] as const, ['x-api-key', 'b'] as const]),
  fc.constant([['x-admin-key', 'unknown'] as const]),
  fc.constant([['authorization', 'Bearer unknown'] as const]),
)

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
import type { Base } from './Base.ts'
import type { FuzzRequest, Headers, Kind } from './FuzzRequest.ts'
import { oddNames } from './oddNames.ts'
import { writeCall } from './writeCall.ts'
import { writeInput } from './writeInput.ts'

const json = ['content-type', 'application/json'] as const

/**
 * Requests of each kind of oddity, each made of a valid call with a key. Some say that a browser sends them.
 *
 * @param keys the headers that open everything
 */
export function arbitraryRequests(
  bases: readonly Base[],
  keys: Headers,
): Readonly<Record<Kind, fc.Arbitrary<FuzzRequest>>> {
  const base = fc.constantFrom(...bases)
  const inBody = fc.constantFrom(...bases.filter(({ place }) => place === 'body'))
  const call = (base: Base, text = writeInput(base, base.fields)) => ({
    ...writeCall(base, text),
    method: base.method,
    headers: base.place === 'body' ? [...keys, json] : keys,
  })
  const kinds = {
    valid: base.map((base) => call(base)),
    json: base.chain((base) => arbitraryInput(base).map((text) => call(base, text))),
    large: inBody.chain((base) => arbitraryLargeInput(base).map((text) => call(base, text))),
    bytes: inBody.chain((base) =>
      arbitraryBytes(writeInput(base, base.fields)).map((body) => ({ ...call(base), body })),
    ),
    media: fc.tuple(base, arbitraryMedia).map(([base, media]) => ({ ...call(base), headers: [...keys, ...media] })),
    headers: fc.tuple(base, arbitraryHeaders, address, fc.nat()).map(([base, odd, from, at]) => {
      const { headers, ...rest } = call(base)
      return { ...rest, headers: [...headers.filter((_, index) => index !== at % (2 * headers.length)), ...odd, from] }
    }),
    method: fc.tuple(base, arbitraryMethod).map(([base, method]) => ({ ...call(base), method })),
    path: base.chain((base) =>
      arbitraryPath(base).map((path) => {
        const { target, ...rest } = call(base)
        return { ...rest, target: target.replace(base.path, () => path) }
      }),
    ),
    query: fc.tuple(base, arbitraryQuery).map(([base, query]) => {
      const { target, ...rest } = call(base)
      return { ...rest, target: `${target}${target.includes('?') ? '&' : '?'}${query}` }
    }),
    batch: arbitraryBatch(bases).map((batch) => ({ ...batch, headers: batch.body ? [...keys, json] : keys })),
    stranger: fc.tuple(base, arbitraryKey).map(([base, key]) => ({
      ...call(base),
      headers: [...call(base).headers.filter(([name]) => !name.startsWith('x-')), ...key, strangersAddress],
    })),
  } satisfies Record<Kind, fc.Arbitrary<Omit<FuzzRequest, 'kind'>>>
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, arbitrary]) => [
      kind,
      fc.tuple(arbitrary, origin).map(([request, origin]) => ({
        ...request,
        kind,
        headers: [...request.headers, ...origin],
      })),
    ]),
  ) as unknown as Record<Kind, fc.Arbitrary<FuzzRequest>>
}

// Requests of browsers take another way through the edge.
const origin: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 5, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('https://app.example', 'null', '*').map((from) => [['origin', from] as const]),
  },
)

// All of them from one, so that they come to be refused for their number.
const strangersAddress = ['x-forwarded-for', '203.0.113.2'] as const

// A request that has lost its key is counted by address: not by one of those that others are counted by.
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

import { METHODS } from 'node:http'
import fc from 'fast-check'
import { arbitraryHeaders, arbitraryMedia } from './arbitraryHeaders.ts'
import { arbitraryInput, arbitraryLargeInput } from './arbitraryInput.ts'
import { arbitraryPath, arbitraryQuery } from './arbitraryTarget.ts'
import { writeCall, writeInput, type ValidCall } from './createValidCalls.ts'
import { documents, oddNames } from './dictionary.ts'
import type { FuzzRequest, Headers } from './FuzzRequest.ts'

const json = ['content-type', 'application/json'] as const

/**
 * Requests of each kind, derived from valid calls with a key. Some have an `Origin` header.
 *
 * @param keys the headers with a valid API key and the admin key
 */
export function arbitraryRequests(
  validCalls: readonly ValidCall[],
  keys: Headers,
): Readonly<Record<string, fc.Arbitrary<FuzzRequest>>> {
  const validCall = chooseCall(validCalls)
  const inBody = chooseCall(validCalls.filter(({ place }) => place === 'body'))
  const call = (validCall: ValidCall, text?: string) => toRequest(validCall, keys, text)
  const kinds: Readonly<Record<string, fc.Arbitrary<Omit<FuzzRequest, 'kind'>>>> = {
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
  }
  const withOrigin = (kind: string, arbitrary: fc.Arbitrary<Omit<FuzzRequest, 'kind'>>) =>
    fc.tuple(arbitrary, origin).map(([request, headers]) => {
      return { ...request, kind, headers: [...request.headers, ...headers] }
    })
  return Object.fromEntries(Object.entries(kinds).map(([kind, arbitrary]) => [kind, withOrigin(kind, arbitrary)]))
}

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

const unknownMethods = ['get', 'Post', 'FOO', 'PRI', 'G', 'GET\t', '__proto__', 'X'.repeat(1000)]
const arbitraryMethod = fc.oneof(fc.constantFrom(...METHODS), fc.constantFrom(...unknownMethods))

const sequences = ['ff', 'c0af', 'c0', 'eda080', 'edb080', 'f4908080', 'f8888080', 'e282', 'efbbbf', 'efbfbd']
const controls = ['00', '1f', '7f', 'c280', 'e280a8', 'efbfbe', 'f09f92']
const encodings: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(text, 'utf16le').swap16(),
  (text) => Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(text, 'utf16le')]),
  (text) => Buffer.concat([Buffer.from('efbbbf', 'hex'), Buffer.from(text)]),
  (text) => Buffer.from(text.replaceAll('a', 'é'), 'latin1'),
  (text) => Buffer.from(text).toReversed() as Buffer,
]

/** A body with invalid UTF-8, another encoding, truncated, or with changed bytes. */
function arbitraryBytes(text: string): fc.Arbitrary<Buffer> {
  const bytes = Buffer.from(text)
  const at = fc.nat({ max: bytes.length })
  const odd = fc.oneof(
    fc.constantFrom(...sequences, ...controls).map((hex) => Buffer.from(hex, 'hex')),
    fc.uint8Array({ minLength: 1, maxLength: 4 }),
  )
  return fc.oneof(
    {
      weight: 2,
      arbitrary: fc
        .tuple(at, odd)
        .map(([index, inserted]) => Buffer.concat([bytes.subarray(0, index), inserted, bytes.subarray(index)])),
    },
    { weight: 1, arbitrary: fc.constantFrom(...encodings).map((encode) => Buffer.from(encode(text))) },
    { weight: 1, arbitrary: at.map((length) => bytes.subarray(0, length)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((random) => Buffer.from(random)) },
  )
}

const separators = [',', '%2C', '%2c', ',,', ';', ', ', '%252C']
const indices = ['0', '1', '2', '9', '10', '-1', '1.5', '00', '1e0', '__proto__', 'length', 'constructor', '']
const flags = ['', 'batch', 'batch=', 'batch=2', 'batch=1&batch=1']

/** Batches with invalid names and indices, too many calls, or mismatched inputs; some of a link that streams. */
function arbitraryBatch(
  validCalls: readonly ValidCall[],
): fc.Arbitrary<Pick<FuzzRequest, 'method' | 'target' | 'headers' | 'body'>> {
  const trpc = validCalls.filter(({ form }) => form !== 'REST')
  const one = fc.constantFrom(...trpc).chain((validCall) =>
    fc.record({
      name: rarely(fc.constantFrom(...oddNames).map(encodeURIComponent), validCall.operation),
      index: fc.constantFrom(...indices),
      input: fc.oneof(
        { weight: 3, arbitrary: fc.constant(writeInput(validCall, validCall.fields)) },
        { weight: 1, arbitrary: arbitraryInput(validCall) },
      ),
    }),
  )
  return fc
    .record({
      calls: fc.array(one, { minLength: 1, maxLength: 12 }),
      separator: rarely(fc.constantFrom(...separators), ','),
      hasRightIndices: fc.boolean(),
      input: rarely(fc.constantFrom(...documents), undefined),
      method: fc.constantFrom('GET', 'POST'),
      headers: fc.constantFrom<Headers>([], [['trpc-accept', 'application/jsonl']], [['accept', 'application/jsonl']]),
      flag: rarely(fc.constantFrom(...flags), 'batch=1'),
    })
    .map(({ calls, separator, hasRightIndices, input, method, headers, flag }) => {
      const fields = calls.map((call, at) => `"${hasRightIndices ? at : call.index}":${call.input}`)
      const text = input ?? `{${fields.join(',')}}`
      const target = `/trpc/${calls.map(({ name }) => name).join(separator)}?${flag}`
      if (method === 'POST') return { method, target, headers, body: Buffer.from(text) }
      return { method, headers, target: `${target}&input=${encodeURIComponent(text.toWellFormed())}` }
    })
}

function rarely<Odd, Usual>(odd: fc.Arbitrary<Odd>, usual: Usual): fc.Arbitrary<Odd | Usual> {
  return fc.oneof({ weight: 1, arbitrary: odd }, { weight: 9, arbitrary: fc.constant(usual) })
}

import fc from 'fast-check'
import { arbitraryInput } from './arbitraryInput.ts'
import type { ValidCall } from './createValidCalls.ts'
import type { FuzzRequest, Headers } from './FuzzRequest.ts'
import { oddNames } from './oddNames.ts'
import { writeInput } from './writeCall.ts'

const separators = [',', '%2C', '%2c', ',,', ';', ', ', '%252C']
const indices = ['0', '1', '2', '9', '10', '-1', '1.5', '00', '1e0', '__proto__', 'length', 'constructor', '']
const oddInputs = [
  '',
  '{}',
  '[]',
  '1',
  'null',
  '"0"',
  'true',
  '{',
  '{"0":{}}',
  '{"0":null}',
  '[{},{}]',
  '{"__proto__":{"0":{}}}',
]

/** Batches with invalid names and indices, too many calls, or mismatched inputs; some of a link that streams. */
export function arbitraryBatch(
  validCalls: readonly ValidCall[],
): fc.Arbitrary<Pick<FuzzRequest, 'method' | 'target' | 'headers' | 'body'>> {
  const trpc = validCalls.filter(({ form }) => form !== 'REST')
  const known = fc.constantFrom(...trpc)
  const one = known.chain((validCall) =>
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
      input: rarely(fc.constantFrom(...oddInputs), undefined),
      method: fc.constantFrom('GET', 'POST'),
      headers: fc.constantFrom<Headers>([], [['trpc-accept', 'application/jsonl']], [['accept', 'application/jsonl']]),
      flag: rarely(fc.constantFrom('', 'batch', 'batch=', 'batch=2', 'batch=1&batch=1'), 'batch=1'),
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

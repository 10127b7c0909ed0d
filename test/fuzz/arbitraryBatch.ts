import fc from 'fast-check'
import type { Base } from './Base.ts'
import type { FuzzRequest } from './FuzzRequest.ts'
import { arbitraryInput } from './arbitraryInput.ts'
import { oddNames } from './oddNames.ts'
import { writeInput } from './writeInput.ts'

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

/** Calls of several procedures in one request: odd names and indices, too many, and inputs that do not fit them. */
export function arbitraryBatch(bases: readonly Base[]): fc.Arbitrary<Pick<FuzzRequest, 'method' | 'target' | 'body'>> {
  const trpc = bases.filter(({ transport }) => transport === 'tRPC')
  const known = fc.constantFrom(...trpc)
  const one = known.chain((base) =>
    fc.record({
      name: rarely(fc.constantFrom(...oddNames).map(encodeURIComponent), base.operation),
      index: fc.constantFrom(...indices),
      input: fc.oneof(
        { weight: 3, arbitrary: fc.constant(writeInput(base, base.fields)) },
        { weight: 1, arbitrary: arbitraryInput(base) },
      ),
    }),
  )
  return fc
    .record({
      calls: fc.array(one, { minLength: 1, maxLength: 12 }),
      separator: rarely(fc.constantFrom(...separators), ','),
      hasRightIndices: fc.boolean(),
      input: rarely(fc.constantFrom(...oddInputs), undefined),
      method: fc.constantFrom('GET', 'GET', 'POST'),
      flag: rarely(fc.constantFrom('', 'batch', 'batch=', 'batch=2', 'batch=1&batch=1'), 'batch=1'),
    })
    .map(({ calls, separator, hasRightIndices, input, method, flag }) => {
      const fields = calls.map((call, at) => `"${hasRightIndices ? at : call.index}":${call.input}`)
      const text = input ?? `{${fields.join(',')}}`
      const target = `/trpc/${calls.map(({ name }) => name).join(separator)}?${flag}`
      if (method === 'POST') return { method, target, body: Buffer.from(text) }
      return { method, target: `${target}&input=${encodeURIComponent(text.toWellFormed())}` }
    })
}

function rarely<Odd, Usual>(odd: fc.Arbitrary<Odd>, usual: Usual): fc.Arbitrary<Odd | Usual> {
  return fc.oneof({ weight: 1, arbitrary: odd }, { weight: 9, arbitrary: fc.constant(usual) })
}

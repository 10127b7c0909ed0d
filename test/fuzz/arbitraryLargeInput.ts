import fc from 'fast-check'
import { arbitraryLargeValue } from './arbitraryLargeValue.ts'
import type { Base } from './Base.ts'
import { writeInput } from './writeInput.ts'

/** The largest body that is taken, in bytes. */
const limit = 100_000

/** The input of a call with a deep, wide or long value or name, or as large as is just taken or just not. */
export function arbitraryLargeInput(base: Base): fc.Arbitrary<string> {
  const text = writeInput(base, base.fields)
  const aroundLimit = fc.integer({ min: limit - 5, max: limit + 5 })
  const empty = text === '{}'
  const withField = (name: string, value: string) => `${text.slice(0, -1)}${empty ? '' : ','}${name}:${value}}`
  return fc.oneof(
    { weight: 3, arbitrary: replaceOne(base) },
    { weight: 1, arbitrary: arbitraryLargeValue },
    { weight: 1, arbitrary: arbitraryLargeValue.map((value) => withField('"id"', value)) },
    { weight: 1, arbitrary: aroundLimit.map((length) => text.padEnd(length)) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 1000, max: limit }).map((length) => withField(`"${'n'.repeat(length)}"`, '1')),
    },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: limit, max: 5 * limit })
        .map((length) => withField('"a"', `"${'x'.repeat(length)}"`)),
    },
  )
}

function replaceOne(base: Base): fc.Arbitrary<string> {
  return fc.tuple(fc.nat(), arbitraryLargeValue).map(([at, value]) => {
    const spoilt = base.fields.map(
      ([name, kept], index) => [name, index === at % base.fields.length ? value : kept] as const,
    )
    return writeInput(base, spoilt)
  })
}

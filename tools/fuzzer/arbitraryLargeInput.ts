import fc from 'fast-check'
import type { ValidCall } from './createValidCalls.ts'
import { writeInput } from './writeCall.ts'

const lengths = fc.oneof(fc.integer({ min: 100, max: 3000 }), fc.integer({ min: 3000, max: 49_000 }))

/** A deep, wide or long JSON value, as text of at most about 100,000 characters. */
const arbitraryLargeValue: fc.Arbitrary<string> = fc.oneof(
  lengths.map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  lengths.map((depth) => '['.repeat(depth)),
  lengths.map((depth) => `${'{"a":'.repeat(depth / 4)}1${'}'.repeat(depth / 4)}`),
  lengths.map((depth) => `${'{"__proto__":'.repeat(depth / 8)}1${'}'.repeat(depth / 8)}`),
  lengths.map((length) => `[${'0,'.repeat(length)}0]`),
  lengths.map((length) => `{${Array.from({ length: length / 6 }, (_, index) => `"f${index}":0`).join(',')}}`),
  lengths.map((length) => `"${'x'.repeat(length)}"`),
  lengths.map((length) => `"${'💥'.repeat(length / 4)}"`),
  lengths.map((length) => `"${'\\u0000'.repeat(length / 6)}"`),
  lengths.map((length) => `"0x02${'f9'.repeat(length / 2)}"`),
  lengths.map((length) => '9'.repeat(length)),
  lengths.map((length) => `"${'9'.repeat(length)}"`),
  lengths.map((length) => `0.${'0'.repeat(length)}1`),
  lengths.map((length) => `1e${'9'.repeat(length)}`),
)

/** The maximum body size, in bytes. */
const limit = 100_000

/** The input of a call with a deep, wide or long value or name, or with a size around the limit. */
export function arbitraryLargeInput(validCall: ValidCall): fc.Arbitrary<string> {
  const text = writeInput(validCall, validCall.fields)
  const aroundLimit = fc.integer({ min: limit - 5, max: limit + 5 })
  const empty = text === '{}'
  const withField = (name: string, value: string) => `${text.slice(0, -1)}${empty ? '' : ','}${name}:${value}}`
  return fc.oneof(
    { weight: 3, arbitrary: replaceOne(validCall) },
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

function replaceOne(validCall: ValidCall): fc.Arbitrary<string> {
  return fc.tuple(fc.nat(), arbitraryLargeValue).map(([at, value]) => {
    const corrupted = validCall.fields.map(
      ([name, kept], index) => [name, index === at % validCall.fields.length ? value : kept] as const,
    )
    return writeInput(validCall, corrupted)
  })
}

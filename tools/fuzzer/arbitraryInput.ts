import fc from 'fast-check'
import { writeInput, type Pairs, type ValidCall } from './createValidCalls.ts'
import { documents, numbers, oddNames, texts } from './dictionary.ts'

/** A JSON value or an almost valid one, as text. */
const arbitraryJsonValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...numbers),
  fc.constantFrom(...documents),
  fc.constantFrom(...texts).map((text) => JSON.stringify(text)),
  fc.constantFrom(...oddNames).map((name) => `{${JSON.stringify(name)}:{"polluted":true}}`),
  fc.constantFrom(...oddNames).map((name) => JSON.stringify(name)),
  fc.json({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 50 }).map((text) => JSON.stringify(text)),
  fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }).map(String),
  fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }).map((value) => `"${value}"`),
  fc.double().map(String),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => `"0x02${Buffer.from(bytes).toString('hex')}"`),
)

const plainNames = fc.constantFrom(...oddNames)
// Such a value is equally invalid in a query, where quotes have no meaning.
const plainValues = fc.oneof(
  arbitraryJsonValue,
  arbitraryJsonValue.map((text) => text.replaceAll('"', '')),
)
const jsonNames = fc.oneof(
  plainNames.map((name) => JSON.stringify(name)),
  fc.constantFrom('a', "'a'", '"\\u005f_proto__"', '"\\ud800"', '1', '"'),
)
const wraps: readonly ((text: string) => string)[] = [
  (text) => `[${text}]`,
  (text) => `{"json":${text},"meta":{"values":{"amountIn":["bigint"],"__proto__":["map"]}}}`,
  (text) => `{"0":${text}}`,
  (text) => JSON.stringify(text),
  (text) => `${text}${text}`,
  (text) => `${text},`,
  (text) => `\n\t ${text} \r\n`,
  (text) => `${text}//`,
  (text) => `\uFEFF${text}`,
  (text) => `${text}\u0000`,
  (text) => `)]}',\n${text}`,
  (text) => text.slice(0, -1),
  (text) => text.slice(1),
  (text) => text.slice(0, text.length / 2),
  (text) => text.toUpperCase(),
]

/** The input of a call with invalid values, names or syntax, as text. */
export function arbitraryInput(validCall: ValidCall): fc.Arbitrary<string> {
  const parts =
    validCall.place === 'query'
      ? { name: plainNames, value: plainValues }
      : { name: jsonNames, value: arbitraryJsonValue }
  const corrupted = corruptPairs(validCall.fields, parts).map((fields) => writeInput(validCall, fields))
  if (validCall.place === 'query') return corrupted
  return fc.oneof(
    { weight: 8, arbitrary: corrupted },
    { weight: 1, arbitrary: fc.constantFrom(...wraps).map((wrap) => wrap(writeInput(validCall, validCall.fields))) },
    { weight: 1, arbitrary: arbitraryJsonValue },
  )
}

type Parts = { readonly name: fc.Arbitrary<string>; readonly value: fc.Arbitrary<string> }

/** Corrupts a list in one to three places: a value, a name, or the presence of a pair. */
function corruptPairs(pairs: Pairs, { name, value }: Parts): fc.Arbitrary<Pairs> {
  const at = fc.nat({ max: Math.max(0, pairs.length - 1) })
  const change = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(at, value).map(([index, odd]) => replace(index, ([kept]) => [[kept, odd]])) },
    { weight: 1, arbitrary: fc.tuple(at, name).map(([index, odd]) => replace(index, ([, kept]) => [[odd, kept]])) },
    {
      weight: 1,
      arbitrary: fc.tuple(at, value).map(([index, odd]) => replace(index, (pair) => [pair, [pair[0], odd]])),
    },
    { weight: 1, arbitrary: at.map((index) => replace(index, () => [])) },
    { weight: 2, arbitrary: fc.tuple(name, value).map((odd) => (list: Pairs) => [...list, odd]) },
  )
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  return changes.map((list) => list.reduce((corrupted, apply) => apply(corrupted), pairs))
}

function replace(index: number, make: (pair: Pairs[number]) => Pairs) {
  return (pairs: Pairs): Pairs => pairs.flatMap((pair, at) => (at === index ? make(pair) : [pair]))
}

const lengths = fc.oneof(fc.integer({ min: 100, max: 3000 }), fc.integer({ min: 3000, max: 49_000 }))

/** A deep, wide or long JSON value of a length, as text of at most about 100,000 characters. */
const largeValues: readonly ((length: number) => string)[] = [
  (depth) => '['.repeat(depth) + ']'.repeat(depth),
  (depth) => '['.repeat(depth),
  (depth) => `${'{"a":'.repeat(depth / 4)}1${'}'.repeat(depth / 4)}`,
  (depth) => `${'{"__proto__":'.repeat(depth / 8)}1${'}'.repeat(depth / 8)}`,
  (length) => `[${'0,'.repeat(length)}0]`,
  (length) => `{${Array.from({ length: length / 6 }, (_, index) => `"f${index}":0`).join(',')}}`,
  (length) => `"${'x'.repeat(length)}"`,
  (length) => `"${'💥'.repeat(length / 4)}"`,
  (length) => `"${'\\u0000'.repeat(length / 6)}"`,
  (length) => `"0x02${'f9'.repeat(length / 2)}"`,
  (length) => '9'.repeat(length),
  (length) => `"${'9'.repeat(length)}"`,
  (length) => `0.${'0'.repeat(length)}1`,
  (length) => `1e${'9'.repeat(length)}`,
]
const arbitraryLargeValue = fc.tuple(fc.constantFrom(...largeValues), lengths).map(([make, length]) => make(length))

/** The maximum body size, in bytes. */
const limit = 100_000

/** The input of a call with a deep, wide or long value or name, or with a size around the limit. */
export function arbitraryLargeInput(validCall: ValidCall): fc.Arbitrary<string> {
  const { fields } = validCall
  const text = writeInput(validCall, fields)
  const withField = (name: string, value: string) => writeInput(validCall, [...fields, [name, value]])
  const replaced = fc.tuple(fc.nat({ max: Math.max(0, fields.length - 1) }), arbitraryLargeValue)
  const upTo = (min: number, max: number) => fc.integer({ min, max })
  return fc.oneof(
    {
      weight: 3,
      arbitrary: replaced.map(([at, value]) => writeInput(validCall, replace(at, ([name]) => [[name, value]])(fields))),
    },
    { weight: 1, arbitrary: arbitraryLargeValue },
    { weight: 1, arbitrary: arbitraryLargeValue.map((value) => withField('"id"', value)) },
    { weight: 1, arbitrary: upTo(limit - 5, limit + 5).map((length) => text.padEnd(length)) },
    { weight: 1, arbitrary: upTo(1000, limit).map((length) => withField(`"${'n'.repeat(length)}"`, '1')) },
    { weight: 1, arbitrary: upTo(limit, 5 * limit).map((length) => withField('"a"', `"${'x'.repeat(length)}"`)) },
  )
}

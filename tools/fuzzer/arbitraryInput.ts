import fc from 'fast-check'
import { arbitraryJsonValue } from './arbitraryJsonValue.ts'
import { corruptPairs } from './corruptPairs.ts'
import type { ValidCall } from './createValidCalls.ts'
import { oddNames } from './oddNames.ts'
import { writeInput } from './writeCall.ts'

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

import fc from 'fast-check'
import type { Pairs } from './createValidCalls.ts'

/** Corrupts a list in one to three places: a value, a name, or the presence of a pair. */
export function corruptPairs(pairs: Pairs, { name, value }: corruptPairs.Parts): fc.Arbitrary<Pairs> {
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
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    let corrupted = pairs
    for (const apply of changes) corrupted = apply(corrupted)
    return corrupted
  })
}

export declare namespace corruptPairs {
  type Parts = { readonly name: fc.Arbitrary<string>; readonly value: fc.Arbitrary<string> }
}

function replace(index: number, make: (pair: Pairs[number]) => Pairs) {
  return (pairs: Pairs): Pairs => pairs.flatMap((pair, at) => (at === index ? make(pair) : [pair]))
}

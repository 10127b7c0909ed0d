import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { laws } from './laws/laws.ts'
import { listCases } from './prove.ts'
import { tryLaw } from './samples.ts'
import { runByCore, twins } from './twin.ts'
import { countRuns, randomSeed } from '../../test/harness/randomSeed.ts'

const seed = randomSeed('laws')
const numRuns = countRuns(3000)

const twinLaws = laws.filter((law) => law.functions.every((name) => twins.has(name)) && law.name !== 'parameters')

describe('the maths of core', () => {
  it('the maths of core computes the functions of most laws of swaps', () => {
    expect(twinLaws.map(({ name }) => name)).toEqual([
      'gross output',
      'value of an output',
      'exact output is paid',
      'exact output is minimal',
      'outputs grow',
      'inputs grow',
      'split input',
      'split output',
      'round trip',
      'round trip of an exact output',
      'round trip to an exact output',
      'pairs',
      'largest input',
      'accepted inputs',
      'accepted outputs',
      'quotes of a pool',
      'halt after an exact input',
      'halt after an exact output',
    ])
  })

  it.each(twinLaws.map((law) => [law.name, law] as const))('the maths of core obeys the law "%s"', (_, law) => {
    const counts = { held: 0, refuted: 0, reverted: 0 }
    for (const direction of listCases(law)) {
      const property = fc.property(fc.gen(), (draw) => {
        const { outcome, values } = tryLaw(law, runByCore, { draw, direction })
        counts[outcome]++
        expect(outcome, describeValues(values)).not.toBe('refuted')
      })
      fc.assert(property, { seed, numRuns })
    }
    expect(counts.held).toBeGreaterThan(numRuns / 100)
  })
})

function describeValues(values: ReadonlyMap<string, { readonly text: string }>): string {
  return Array.from(values, ([name, { text }]) => `${name} = ${text}`).join(', ')
}

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Campaign } from './campaign.ts'
import { keyOf, type Leaf, type Tampering } from './leaves.ts'
import type { Case } from './runScenario.ts'
import type { Scenario } from './scenarios.ts'

/**
 * Lists one case for each leaf of all scenarios, or one for each change of each leaf in each flow. The seed chooses the
 * scenario and the change.
 */
export function listSystematicCases(
  { known, listTamperings }: Campaign,
  { seed, hasAllChanges }: listSystematicCases.Options,
): readonly Case[] {
  const sources = new Map<string, { readonly scenario: Scenario; readonly leaf: Leaf }[]>()
  for (const { scenario, leaves } of known) {
    for (const leaf of leaves) {
      const key = hasAllChanges ? `${scenario.flow.kind} ${keyOf(leaf)}` : keyOf(leaf)
      sources.set(key, [...(sources.get(key) ?? []), { scenario, leaf }])
    }
  }
  return [...sources].flatMap(([key, occurrences]) => {
    const choose = <Item>(items: readonly Item[], purpose: unknown) => pick(items, toNumber([seed, key, purpose]))
    const tamperings = listTamperings(choose(occurrences, 'leaf').leaf)
    const chosen = hasAllChanges ? tamperings : [choose(tamperings, 'change')]
    return chosen.map((tampering, index): Case => {
      const { scenario } = choose(occurrences, index)
      return {
        scenario,
        tamperings: [tampering],
        isConsistent: choose([true, true, true, false], `consistent ${index}`),
      }
    })
  })
}

export declare namespace listSystematicCases {
  type Options = { readonly seed: number; readonly hasAllChanges: boolean }
}

/**
 * Lists one case for each address and each word of calldata in the answers of all scenarios: the attacker puts its own address in
 * its place, and what it builds is consistent.
 */
export function listAttackerCases({ known, listTamperings }: Campaign): readonly Case[] {
  const cases = new Map<string, Case>()
  for (const { scenario, leaves } of known) {
    for (const leaf of leaves) {
      const isWord = leaf.path.at(-1)?.startsWith('#') === true
      if (!isWord && !/^0x[0-9a-f]{40}$/i.test(String(leaf.value))) continue
      const [toAttacker] = listTamperings(leaf)
      if (toAttacker) cases.set(keyOf(leaf), { scenario, tamperings: [toAttacker], isConsistent: true })
    }
  }
  return [...cases.values()]
}

/** Returns a number that the values determine, so that a leaf has the same change if another run has other leaves. */
function toNumber(values: readonly unknown[]): number {
  return createHash('sha256').update(JSON.stringify(values)).digest().readUInt32BE()
}

const choice = fc.record({
  procedure: fc.nat(),
  // A quarter changes the whole answer.
  isWhole: fc.nat(3).map((number) => number === 0),
  leaf: fc.nat(),
  change: fc.nat(),
  // The range of changed answers, from the first one that has the leaf.
  delay: fc.constantFrom(0, 0, 0, 1, 2),
  length: fc.constantFrom(undefined, undefined, 0, 1, 3),
})

const randomCase = fc.record({
  scenario: fc.nat(),
  isConsistent: fc.boolean(),
  choices: fc.array(choice, { minLength: 2, maxLength: 6 }),
})

/** Lists random cases: several changes at once, each in a range of the answers of its procedure. */
export function listRandomCases(
  { known, listTamperings }: Campaign,
  { seed, count }: listRandomCases.Options,
): readonly Case[] {
  return fc.sample(randomCase, { seed, numRuns: count }).map((random) => {
    const { scenario, leaves } = pick(known, random.scenario)
    const tamperings = random.choices.map((each) => toTampering(leaves, each, listTamperings))
    return { scenario, tamperings, isConsistent: random.isConsistent }
  })
}

type Choice = typeof choice extends fc.Arbitrary<infer Value> ? Value : never

function toTampering(
  leaves: readonly Leaf[],
  { delay, length, ...random }: Choice,
  list: Campaign['listTamperings'],
): Tampering {
  const procedure = pick([...new Set(leaves.map((leaf) => leaf.procedure))], random.procedure)
  const own = leaves.filter((leaf) => leaf.procedure === procedure && (leaf.path.length === 0) === random.isWhole)
  const leaf = pick(own, random.leaf)
  const fromIndex = leaf.fromIndex + delay
  return {
    ...pick(list(leaf), random.change),
    fromIndex,
    ...(length !== undefined && { toIndex: fromIndex + length }),
  }
}

export declare namespace listRandomCases {
  type Options = { readonly seed: number; readonly count: number }
}

function pick<Item>(items: readonly Item[], number: number): Item {
  return items[number % items.length] as Item
}

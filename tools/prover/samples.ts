import fc from 'fast-check'
import type { Direction, Law } from './laws/Law.ts'
import { Reverted } from './Path.ts'
import * as Term from './Term.ts'
import { World, type Domain, type Run, type Source } from './World.ts'

/** Drawn numbers: a source of values, and the value of each name and each answer by its text. */
export type Sample = { readonly source: Source; readonly values: ReadonlyMap<string, Term.Term> }

/** Creates a sample of random values. The same name has the same value. */
export function createSample(draw: fc.GeneratorValue): Sample {
  const values = new Map<string, Term.Term>()
  const remember = (symbol: Term.Term, choose: () => Term.Term): Term.Term => {
    const value = values.get(symbol.text) ?? choose()
    values.set(symbol.text, value)
    return value
  }
  // Roundings differ, and amounts meet their limits, where all numbers are small.
  const isSmall = draw(fc.boolean)
  const choose = (domain: Domain, usual: bigint | undefined) =>
    Term.integer(draw((isSmall ? smallArbitraries : {})[domain] ?? arbitraries[domain], usual ?? 1n))
  const source: Source = {
    number: (name, domain) => remember(Term.variable(name), () => choose(domain, addresses[name])),
    condition: (name) => remember(Term.condition(name), () => (draw(arbitraryFlag) ? Term.yes : Term.no)),
    read: (name, args, domain) => remember(Term.read(name, args), () => choose(domain, readers[args[0]?.text ?? ''])),
  }
  return { source, values }
}

/** What trying a law with values found. */
export type Trial = {
  readonly outcome: 'held' | 'refuted' | 'reverted'
  readonly values: ReadonlyMap<string, Term.Term>
}

/** Tries a law with drawn values: a call that reverts decides nothing. */
export function tryLaw(law: Law, run: Run, { draw, direction }: Options): Trial {
  const sample = createSample(draw)
  const world = new World(run, sample.source)
  try {
    const { goal } = law.state(world, direction)
    if (goal.value === undefined) throw new Error(`Cannot evaluate the law ${law.name}: ${goal.text}`)
    return { outcome: goal.value === true ? 'held' : 'refuted', values: sample.values }
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    return { outcome: 'reverted', values: sample.values }
  }
}

type Options = { readonly draw: fc.GeneratorValue; readonly direction: Direction }

/** Returns random numbers for samples, by a seed. */
export function listDraws(count: number, seed: number): readonly fc.GeneratorValue[] {
  return fc.sample(fc.gen(), { numRuns: count, seed })
}

// The usual tokens and readers, so that most drawn pools can be deployed.
const addresses: Readonly<Record<string, bigint>> = {
  base: 1n,
  quote: 2n,
  'base reader': 3n,
  'quote reader': 4n,
  target: 2n,
}
const readers: Readonly<Record<string, bigint>> = { '3': 1n, '4': 2n }

const arbitraryFlag = () => fc.integer({ min: 0, max: 7 }).map((chosen) => chosen === 0)

const arbitraryAmount = () =>
  fc.oneof(
    { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 12n }) },
    { weight: 3, arbitrary: ofAnySize(128) },
    { weight: 1, arbitrary: fc.bigInt({ min: 10n ** 6n - 1n, max: 10n ** 6n + 3n }) },
    { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 9n }).map((whole) => whole * 10n ** 18n) },
  )

const arbitraries: Readonly<Record<Domain, (usual: bigint) => fc.Arbitrary<bigint>>> = {
  address: (usual) =>
    fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 3n }) }),
  amount: arbitraryAmount,
  decimals: () => fc.constantFrom(0n, 0n, 0n, 1n, 2n, 6n, 18n),
  fee: () => fc.oneof(fc.constantFrom(0n, 1n, 10n ** 16n, 10n ** 16n + 1n), fc.bigInt({ min: 0n, max: 10n ** 16n })),
  halt: () =>
    fc.oneof(
      fc.constantFrom(0n, 1n, 5n * 10n ** 17n, 10n ** 18n - 1n, 10n ** 18n),
      fc.bigInt({ min: 1n, max: 10n ** 18n }),
    ),
  supply: () => fc.oneof({ weight: 1, arbitrary: fc.constant(0n) }, { weight: 5, arbitrary: arbitraryAmount() }),
  price: () => fc.oneof(fc.constantFrom(1n, 2n, 3n, 10n ** 8n), fc.constantFrom(10n ** 8n, 65_120_000n), ofAnySize(64)),
}

const smallArbitraries: Partial<typeof arbitraries> = {
  amount: () => fc.bigInt({ min: 0n, max: 12n }),
  decimals: () => fc.constantFrom(0n, 0n, 0n, 1n),
  price: () => fc.constantFrom(1n, 2n, 3n, 10n ** 8n),
}

/** Returns positive integers of up to that many bits; all lengths are equally likely. */
function ofAnySize(bits: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: 1, max: bits })
    .chain((length) => fc.bigInt({ min: 2n ** BigInt(length - 1), max: 2n ** BigInt(length) - 1n }))
}

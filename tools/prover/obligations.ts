import { directions, type Direction } from './laws/Law.ts'
import { bound, define, order } from './lemmas.ts'
import type { Place } from './Path.ts'
import { Pool } from './Pool.ts'
import * as Term from './Term.ts'
import { domains, World, type Domain, type Run, type Source } from './World.ts'

/** A function that people call, in a state that a pool can have: none of its operations may panic. */
export type Entry = { readonly name: string; readonly call: (world: World) => void }

/** The functions of a pool that compose its maths, also for its transactions. */
export const entries: readonly Entry[] = [
  ...directions.flatMap((direction) => [
    swap('viewOriginSwap', direction, 'amount'),
    swap('viewTargetSwap', direction, 'amount'),
    swap('maxOrigin', direction),
  ]),
  { name: 'viewDeposit', call: (world) => void deployUsed(world).call('viewDeposit', world.number('value', 'amount')) },
  { name: 'viewWithdraw', call: (world) => void deployUsed(world).call('viewWithdraw', world.number('lp', 'amount')) },
  { name: 'liquidity', call: (world) => void deployUsed(world).call('liquidity') },
]

/** What must hold so that no operation of an entry panics, and the lemmas from which it follows. */
export type Safety = {
  /** The operations that could panic. */
  readonly places: readonly Place[]
  readonly goal: Term.Term
  readonly lemmas: readonly Term.Term[]
}

/** Returns the obligations of an entry within the bounds. Each may use what holds before its operation. */
export function collectObligations(entry: Entry, run: Run, source: Source): Safety {
  const known = new Map<string, Interval>()
  const world = new World(run, recordBounds(source, known), { isBounded: true })
  entry.call(world)
  const { events } = world.path
  const goal = events.reduceRight((rest, { kind, condition }) => {
    const after = Term.implies(condition, rest)
    return kind === 'fact' ? after : Term.and(condition, after)
  }, Term.yes)
  const hints = explainBounds([goal], known)
  const places = events.flatMap((event) =>
    event.kind === 'obligation' && event.condition.value === undefined ? [event.at] : [],
  )
  return { places, goal, lemmas: [...hints, ...define([goal, ...hints])] }
}

function swap(name: string, direction: Direction, amount?: string): Entry {
  return {
    name: `${name}, ${direction}`,
    call: (world) => {
      const pool = deployUsed(world)
      const { base, quote } = pool.config
      const tokens = direction === 'base to quote' ? [base, quote] : [quote, base]
      pool.call(name, ...tokens, ...(amount === undefined ? [] : [world.number(amount, 'amount')]))
    },
  }
}

/** Deploys a pool that has quote tokens if it has LP tokens: no withdrawal of a part takes the last of them. */
function deployUsed(world: World): Pool {
  const pool = Pool.deploy(world)
  world.assume(Term.or(Term.equal(pool.supply, Term.integer(0)), Term.below(Term.integer(0), pool.quote.reserve)))
  return pool
}

/** Returns a source that notes the bounds of all that it draws. */
function recordBounds(source: Source, known: Map<string, Interval>): Source {
  const record = (term: Term.Term, domain: Domain) => {
    known.set(term.text, { low: domains[domain].min, high: domains[domain].bound })
    return term
  }
  return {
    condition: source.condition,
    number: (name, domain) => record(source.number(name, domain), domain),
    read: (name, args, domain) => record(source.read(name, args, domain), domain),
  }
}

/** The least and the greatest value of a term. */
type Interval = { readonly low: bigint; readonly high: bigint }

/**
 * Lists the lemmas from which the bounds of products and quotients follow from the bounds of their parts. The intervals only choose
 * the lemmas: the solver proves what follows.
 */
function explainBounds(terms: readonly Term.Term[], known: ReadonlyMap<string, Interval>): readonly Term.Term[] {
  const intervals = new Map(known)
  return Term.listParts(terms).flatMap((part) => {
    const [first, second] = part.args ?? []
    if (part.operator === '*' && part.args?.length === 2) return explainProduct(first!, second!, intervals)
    if (part.operator === Term.functions.floor || part.operator === Term.functions.ceil) {
      const quotient = findInterval(part, intervals)
      return quotient ? [1n, quotient.high, quotient.high + 1n].map((k) => bound(part, Term.integer(k))) : []
    }
    // Subtractions: a quotient is at most what it is subtracted from.
    return part.operator === '<=' && first!.operator === Term.functions.ceil ? [bound(first!, second!)] : []
  })
}

function explainProduct(left: Term.Term, right: Term.Term, intervals: Map<string, Interval>): readonly Term.Term[] {
  const [a, b] = [findInterval(left, intervals), findInterval(right, intervals)]
  if (!a || !b || a.low < 0n || b.low < 0n) return []
  return [
    order(left, Term.integer(a.high), right),
    order(right, Term.integer(b.high), Term.integer(a.high)),
    order(Term.integer(a.low), left, right),
  ]
}

/** Returns the interval of a term; undefined if the bounds of a part are unknown. */
function findInterval(term: Term.Term, intervals: Map<string, Interval>): Interval | undefined {
  const value = Term.integerOf(term)
  if (value !== undefined) return { low: value, high: value }
  const found = intervals.get(term.text)
  if (found) return found
  const parts = term.args?.slice(term.operator === 'ite' ? 1 : 0).map((part) => findInterval(part, intervals)) ?? []
  if (parts.length === 0 || parts.some((part) => !part)) return undefined
  const interval = combine(term.operator!, parts as readonly Interval[])
  if (interval) intervals.set(term.text, interval)
  return interval
}

function combine(operator: string, parts: readonly Interval[]): Interval | undefined {
  const [a, b] = parts as [Interval, Interval]
  switch (operator) {
    case '+':
      return parts.reduce((sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }))
    case '*':
      return parts.reduce((product, { low, high }) => ({ low: product.low * low, high: product.high * high }))
    case '-':
      return { low: a.low > b.high ? a.low - b.high : 0n, high: a.high - b.low }
    case 'ite':
      return { low: a.low < b.low ? a.low : b.low, high: a.high > b.high ? a.high : b.high }
    case Term.functions.powerOfTen:
      return { low: 1n, high: 10n ** 18n }
    case Term.functions.floor:
    case Term.functions.ceil: {
      const least = b.low > 1n ? b.low : 1n
      return { low: 0n, high: (a.high + least - 1n) / least }
    }
    default:
      return undefined
  }
}

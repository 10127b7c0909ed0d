import { directions, type Direction } from './laws/Law.ts'
import { define } from './lemmas.ts'
import { explainBounds, type Interval } from './intervals.ts'
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

import { bound, cancel, equalProducts, exact, order } from '../lemmas.ts'
import { Pool } from '../Pool.ts'
import * as Term from '../Term.ts'
import { toTerm } from '../Value.ts'
import type { Asset, World } from '../World.ts'
import { coversFee, keepsFee, toGross, toGrossFor, toInput, toOutput } from './Swap.ts'
import { complement, directions, one, toSides, wad, zero, type Direction, type NamedLaws, type Sides } from './Law.ts'

const two = Term.integer(2)

/** The laws of the halt and of what a pool accepts, over PoolQuotes. */
export const limitLaws: NamedLaws = {
  parameters: {
    sentence: 'A pool is deployed exactly if its tokens differ and its halt, its fee and its readers are valid.',
    functions: ['PoolQuotes.constructor'],
    state: (world) => {
      const config = Pool.configure(world)
      const deployed = world.path.attempt(() => Pool.construct(world, config))
      const readsToken = (reader: Term.Term, token: Term.Term) => Term.equal(world.read('token', [reader]), token)
      const isValid = Term.and(
        Term.not(Term.equal(config.base, config.quote)),
        Term.below(zero, config.alpha),
        Term.below(config.alpha, wad),
        Term.atMost(config.epsilon, Term.integer(10n ** 16n)),
        readsToken(config.baseReader, config.base),
        readsToken(config.quoteReader, config.quote),
      )
      return { goal: Term.equal(deployed, isValid) }
    },
  },
  pairs: {
    sentence: 'Swaps and limits are quoted only between the two tokens of a pool.',
    functions: ['PoolQuotes.viewOriginSwap', 'PoolQuotes.viewTargetSwap', 'PoolQuotes.maxOrigin'],
    state: (world) => {
      const pool = Pool.deploy(world)
      const [origin, target] = [world.number('origin', 'address'), world.number('target', 'address')]
      const amount = world.number('amount', 'amount')
      const { base, quote } = pool.config
      const isPair = Term.or(
        Term.and(Term.equal(origin, base), Term.equal(target, quote)),
        Term.and(Term.equal(origin, quote), Term.equal(target, base)),
      )
      const answered = [
        pool.returns('viewOriginSwap', origin, target, amount),
        pool.returns('viewTargetSwap', origin, target, amount),
        pool.returns('maxOrigin', origin, target),
      ]
      return { goal: Term.and(...answered.map((returns) => Term.implies(returns, isPair))) }
    },
  },
  'largest input': {
    sentence: 'The largest input of a swap keeps the halt, and one raw unit more does not.',
    functions: ['PoolQuotes.maxOrigin'],
    cases: directions,
    state: (world, direction) => {
      const swap = drawPoolSwap(world, direction)
      const limit = toTerm(swap.pool.call('maxOrigin', ...swap.tokens))
      const [originScale, targetScale] = [toScale(swap.sides.origin), toScale(swap.sides.target)]
      const values = toValues(swap.sides, [originScale, targetScale])
      const isKept = (input: Term.Term) =>
        Term.atMost(
          Term.multiply(values.total, complement(swap.pool.config.alpha)),
          Term.multiply(two, wad, Term.subtract(values.target, Term.multiply(input, originScale))),
        )
      const goal = Term.and(Term.or(Term.equal(limit, zero), isKept(limit)), Term.not(isKept(Term.add(limit, one))))
      const lemmas = () => [
        ...explainLimit(limit, originScale),
        bound(originScale, one),
        order(one, swap.sides.origin.price, wad),
      ]
      return { goal, lemmas }
    },
  },
  'accepted inputs': {
    sentence:
      'A swap of an exact input is quoted exactly if the pool is not frozen, the input is from 1 to the limit, and it pays something.',
    functions: ['PoolQuotes.viewOriginSwap'],
    cases: directions,
    state: (world, direction) => {
      const { pool, tokens, sides } = drawPoolSwap(world, direction)
      const amount = world.number('amount', 'amount')
      const returns = pool.returns('viewOriginSwap', ...tokens, amount)
      const limit = toTerm(world.call('maxOrigin', sides.origin, sides.target, pool.config.alpha))
      const output = toOutput(world, { sides, epsilon: pool.config.epsilon }, amount)
      const isAccepted = Term.and(
        Term.not(pool.frozen),
        Term.not(Term.equal(amount, zero)),
        Term.atMost(amount, limit),
        Term.not(Term.equal(output, zero)),
      )
      return { goal: Term.equal(returns, isAccepted) }
    },
  },
  'accepted outputs': {
    sentence:
      'A swap for an exact output is quoted exactly if the pool is not frozen, the output is not zero, and its input is at most the limit.',
    functions: ['PoolQuotes.viewTargetSwap'],
    cases: directions,
    state: (world, direction) => {
      const { pool, tokens, sides } = drawPoolSwap(world, direction)
      const amount = world.number('amount', 'amount')
      const returns = pool.returns('viewTargetSwap', ...tokens, amount)
      const limit = toTerm(world.call('maxOrigin', sides.origin, sides.target, pool.config.alpha))
      const input = toInput(world, { sides, epsilon: pool.config.epsilon }, amount)
      const isAccepted = Term.and(Term.not(pool.frozen), Term.not(Term.equal(amount, zero)), Term.atMost(input, limit))
      return { goal: Term.equal(returns, isAccepted) }
    },
  },
  'quotes of a pool': {
    sentence: 'A pool quotes by its prices, balances, decimals and parameters, and a swap pays more than zero.',
    functions: ['PoolQuotes.viewOriginSwap', 'PoolQuotes.viewTargetSwap'],
    cases: directions,
    state: (world, direction) => {
      const { pool, tokens, sides } = drawPoolSwap(world, direction)
      const { epsilon } = pool.config
      const amount = world.number('amount', 'amount')
      const output = toTerm(pool.call('viewOriginSwap', ...tokens, amount))
      const input = toTerm(pool.call('viewTargetSwap', ...tokens, amount))
      const goal = Term.and(
        Term.equal(output, toOutput(world, { sides, epsilon }, amount)),
        Term.equal(input, toInput(world, { sides, epsilon }, amount)),
        Term.below(zero, output),
      )
      return { goal, lemmas: () => [bound(output, zero)] }
    },
  },
  'halt after an exact input': toHaltLaw('After a swap of an exact input', 'viewOriginSwap'),
  'halt after an exact output': toHaltLaw('After a swap for an exact output', 'viewTargetSwap'),
}

type PoolSwap = { readonly pool: Pool; readonly sides: Sides; readonly tokens: readonly [Term.Term, Term.Term] }

function drawPoolSwap(world: World, direction: Direction): PoolSwap {
  const pool = Pool.deploy(world)
  const { base, quote } = pool.config
  if (direction === 'base to quote') return { pool, sides: toSides(pool.base, pool.quote), tokens: [base, quote] }
  return { pool, sides: toSides(pool.quote, pool.base), tokens: [quote, base] }
}

/** Returns the value of one raw unit as the pool computes it: the price scaled by 10^18 and divided by the unit. */
function toScale({ price, unit }: Asset): Term.Term {
  return Term.floor(Term.multiply(price, wad), unit)
}

function toValues({ origin, target }: Sides, [originScale, targetScale]: readonly [Term.Term, Term.Term]) {
  const targetValue = Term.multiply(target.reserve, targetScale)
  return { target: targetValue, total: Term.add(Term.multiply(origin.reserve, originScale), targetValue) }
}

function toHaltLaw(after: string, view: 'viewOriginSwap' | 'viewTargetSwap'): NamedLaws[string] {
  return {
    sentence: `${after}, the output side still has its share of half of the value of the pool.`,
    functions: [`PoolQuotes.${view}`],
    cases: directions,
    state: (world, direction) => {
      const swap = drawPoolSwap(world, direction)
      const given = world.number('amount', 'amount')
      const returned = toTerm(swap.pool.call(view, ...swap.tokens, given))
      return claimHalt(world, swap, view === 'viewOriginSwap' ? [given, returned] : [returned, given])
    },
  }
}

/** Claims that a swap leaves the output side with 1 - alpha of half of the value of the pool, and that the pool can pay it. */
function claimHalt(
  world: World,
  { pool, sides }: Omit<PoolSwap, 'tokens'>,
  [input, output]: readonly [Term.Term, Term.Term],
) {
  const { origin, target, paid, received } = sides
  const [originScale, targetScale] = [toScale(origin), toScale(target)]
  const after = {
    origin: { ...origin, reserve: Term.add(origin.reserve, input) },
    target: { ...target, reserve: Term.subtract(target.reserve, output) },
  }
  const values = toValues({ ...sides, ...after }, [originScale, targetScale])
  const share = Term.multiply(values.total, complement(pool.config.alpha))
  const goal = Term.and(Term.atMost(share, Term.multiply(two, wad, values.target)), Term.atMost(output, target.reserve))
  const lemmas = () => {
    const limit = toTerm(world.call('maxOrigin', origin, target, pool.config.alpha))
    const [valueIn, valueOut] = [Term.multiply(input, originScale), Term.multiply(output, targetScale)]
    return [
      ...explainLimit(limit, originScale),
      order(input, limit, originScale),
      order(zero, input, originScale),
      order(zero, origin.reserve, originScale),
      ...explainScale(origin, Term.multiply(input, target.unit)),
      ...explainScale(target, Term.multiply(output, origin.unit)),
      ...explainTrade(world, { pool, sides }, [input, output]),
      order(Term.multiply(output, received), Term.multiply(input, paid), wad),
      cancel(valueOut, valueIn, Term.multiply(target.unit, origin.unit)),
      order(one, target.unit, origin.unit),
      order(zero, Term.subtract(valueIn, valueOut), pool.config.alpha),
      cancel(output, target.reserve, targetScale),
      bound(targetScale, one),
      order(one, target.price, wad),
    ]
  }
  return { goal, lemmas }
}

/** Lists the lemmas by which the largest input is a quotient by a scale, or zero. */
function explainLimit(limit: Term.Term, scale: Term.Term): readonly Term.Term[] {
  const branches = limit.operator === 'ite' ? limit.args!.slice(1) : []
  return branches.map((branch) => equalProducts(limit, branch, scale))
}

/** Lists the lemmas by which a scale is exact, also in a product. */
function explainScale({ price, decimals, unit }: Asset, factor: Term.Term): readonly Term.Term[] {
  const scale = Term.floor(Term.multiply(price, wad), unit)
  const rest = Term.powerOfTen(Term.subtract(Term.integer(18), decimals))
  return [exact(price, unit, rest), equalProducts(Term.multiply(scale, unit), Term.multiply(price, wad), factor)]
}

/** Lists the lemmas by which the value of an output is at most the value of its input. */
function explainTrade(
  world: World,
  { pool, sides }: Omit<PoolSwap, 'tokens'>,
  [input, output]: readonly [Term.Term, Term.Term],
) {
  const swap = { sides, epsilon: pool.config.epsilon }
  const [gross, needed] = [toGross(world, sides, input), toGrossFor(world, swap, output)]
  return [
    ...keepsFee(world, swap, gross),
    order(output, gross, sides.received),
    ...coversFee(swap, output, needed),
    order(output, needed, sides.received),
  ]
}

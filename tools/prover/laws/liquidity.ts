import { bound, cancel, exact, order } from '../lemmas.ts'
import { Pool } from '../Pool.ts'
import * as Term from '../Term.ts'
import { toList, toTerm, type Value } from '../Value.ts'
import type { Asset, World } from '../World.ts'
import { isCeil, isFloor, priceOne, wad, zero, type Claim, type NamedLaws } from './Law.ts'

/** LP tokens of the first deposit that stay locked. */
const locked = Term.integer(10n ** 6n)

/** The laws of deposits and withdrawals, over PoolQuotes and PoolMath. */
export const liquidityLaws: NamedLaws = {
  'value of a reserve': {
    sentence: 'The value of a reserve is its exact value, rounded down, and the liquidity is the sum of both.',
    functions: ['PoolMath.valueOf', 'PoolQuotes.liquidity'],
    state: (world) => {
      const pool = Pool.deploy(world)
      const [total, individual] = toList(pool.call('liquidity'))
      const [base, quote] = toTerms(individual!)
      const isExact = (value: Term.Term, { reserve, price, unit }: Asset) =>
        isFloor(value, Term.multiply(reserve, price, wad), Term.multiply(priceOne, unit))
      const isSum = Term.equal(toTerm(total), Term.add(base, quote))
      return { goal: Term.and(isSum, isPair(individual!), isExact(base, pool.base), isExact(quote, pool.quote)) }
    },
  },
  'value of a pool': {
    sentence: 'The value of a pool for a deposit is exactly twice its quote side.',
    functions: ['PoolMath.poolValue'],
    state: (world) => {
      const { reserve, unit, decimals } = world.asset('quote')
      const total = toTerm(world.call('poolValue', reserve, unit))
      const doubled = Term.multiply(Term.integer(2), reserve)
      const rest = Term.powerOfTen(Term.subtract(Term.integer(18), decimals))
      const goal = Term.equal(Term.multiply(total, unit), Term.multiply(doubled, wad))
      return { goal, lemmas: () => [exact(doubled, unit, rest)] }
    },
  },
  'first deposit': {
    sentence: 'The first deposit takes half of its value in each token, rounded up, and locks 10^6 LP tokens.',
    functions: ['PoolMath.firstDeposit', 'PoolQuotes.viewDeposit'],
    state: (world) => {
      const { pool, value, lp, amounts, isPair } = drawDeposit(world, { isFirst: true })
      const isHalf = (amount: Term.Term, { price, unit }: Asset) =>
        isCeil(amount, Term.multiply(value, priceOne, unit), Term.multiply(Term.integer(2), price, wad))
      const [base, quote] = amounts
      const isValue = Term.equal(Term.add(lp, locked), value)
      return {
        goal: Term.and(isPair, isHalf(base, pool.base), isHalf(quote, pool.quote), isValue, Term.below(zero, lp)),
      }
    },
  },
  'accepted first deposit': {
    sentence: 'A first deposit is quoted exactly if the pool is not frozen and the value exceeds the locked LP tokens.',
    functions: ['PoolQuotes.viewDeposit'],
    state: (world) => {
      const [pool, value] = [withoutSupply(Pool.deploy(world)), world.number('value', 'amount')]
      const returns = pool.returns('viewDeposit', value)
      return { goal: Term.equal(returns, Term.and(Term.not(pool.frozen), Term.below(locked, value))) }
    },
  },
  'later deposit': {
    sentence:
      'A later deposit takes each token by its share rounded up, and mints LP tokens by the share rounded down.',
    functions: ['PoolMath.depositShare', 'PoolMath.lpFor', 'PoolQuotes.viewDeposit'],
    state: (world) => {
      const { pool, value, lp, amounts, isPair } = drawDeposit(world, { isFirst: false })
      const [base, quote] = amounts
      const total = toTerm(world.call('poolValue', pool.quote.reserve, pool.quote.unit))
      const share = (whole: Term.Term) => Term.multiply(value, whole)
      const goal = Term.and(
        isPair,
        isCeil(base, share(pool.base.reserve), total),
        isCeil(quote, share(pool.quote.reserve), total),
        isFloor(lp, share(pool.supply), total),
        Term.below(zero, lp),
      )
      return { goal, lemmas: () => [order(zero, value, pool.supply)] }
    },
  },
  'accepted later deposit': {
    sentence: 'A later deposit is quoted exactly if the pool is not frozen and it mints an LP token.',
    functions: ['PoolQuotes.viewDeposit'],
    state: (world) => {
      const [pool, value] = [Pool.deploy(world), world.number('value', 'amount')]
      world.assume(Term.below(zero, pool.supply))
      const total = toTerm(world.call('poolValue', pool.quote.reserve, pool.quote.unit))
      const lp = toTerm(world.call('lpFor', value, pool.supply, total))
      const returns = pool.returns('viewDeposit', value)
      const isAccepted = Term.and(Term.not(pool.frozen), Term.not(Term.equal(lp, zero)))
      return { goal: Term.equal(returns, isAccepted) }
    },
  },
  'deposit dilutes no one': {
    sentence: 'After a deposit, an LP token of another provider is worth at least as much of each token as before.',
    functions: ['PoolQuotes.viewDeposit'],
    state: (world) => {
      const deposit = drawDeposit(world, { isFirst: false })
      const { pool, lp } = deposit
      const isKept = ([reserve, amount]: readonly [Term.Term, Term.Term]) =>
        Term.atMost(
          Term.multiply(reserve, Term.add(pool.supply, lp)),
          Term.multiply(Term.add(reserve, amount), pool.supply),
        )
      const sides = toReserves(deposit)
      const lemmas = () => sides.flatMap((side) => explainDeposit(world, deposit, side))
      return { goal: Term.and(...sides.map(isKept)), lemmas }
    },
  },
  'deposit and withdrawal': {
    sentence: 'Withdrawing the LP tokens of a deposit at once returns at most what was deposited.',
    functions: ['PoolQuotes.viewDeposit', 'PoolQuotes.viewWithdraw'],
    state: (world) => claimReturn(world, drawDeposit(world, { isFirst: false })),
  },
  'first deposit and withdrawal': {
    sentence: 'Withdrawing the LP tokens of the first deposit returns at most what was deposited.',
    functions: ['PoolQuotes.viewDeposit', 'PoolQuotes.viewWithdraw'],
    state: (world) => {
      const deposit = drawDeposit(world, { isFirst: true })
      const supply = Term.add(deposit.lp, locked)
      const after = deposit.pool.change({ base: deposit.amounts[0], quote: deposit.amounts[1], supply })
      const returned = toTerms(after.call('viewWithdraw', deposit.lp))
      const sides = returned.map((amount, index) => [amount, deposit.amounts[index]!] as const)
      return {
        goal: Term.and(...sides.map(([amount, deposited]) => Term.atMost(amount, deposited))),
        lemmas: () =>
          sides.flatMap(([amount, deposited]) => [cancel(amount, deposited, supply), order(zero, locked, deposited)]),
      }
    },
  },
  withdrawal: {
    sentence: 'A withdrawal pays the share of each reserve, rounded down.',
    functions: ['PoolMath.withdrawShare', 'PoolQuotes.viewWithdraw'],
    state: (world) => {
      const { pool, lp, sides, isPair } = drawWithdrawal(world)
      const isShare = ([reserve, amount]: readonly [Term.Term, Term.Term]) =>
        Term.and(isFloor(amount, Term.multiply(lp, reserve), pool.supply), Term.atMost(amount, reserve))
      const lemmas = () =>
        sides.flatMap(([reserve, amount]) => [order(lp, pool.supply, reserve), cancel(amount, reserve, pool.supply)])
      return { goal: Term.and(isPair, ...sides.map(isShare)), lemmas }
    },
  },
  'accepted withdrawal': {
    sentence: 'A withdrawal is quoted exactly for 1 to all LP tokens, from a frozen pool too.',
    functions: ['PoolQuotes.viewWithdraw'],
    state: (world) => {
      const [pool, lp] = [Pool.deploy(world), world.number('lp', 'amount')]
      const returns = pool.returns('viewWithdraw', lp)
      const isAccepted = Term.and(Term.not(Term.equal(lp, zero)), Term.atMost(lp, pool.supply))
      return { goal: Term.equal(returns, isAccepted) }
    },
  },
  'withdrawal dilutes no one': {
    sentence: 'After a withdrawal, an LP token of another provider is worth at least as much of each token as before.',
    functions: ['PoolQuotes.viewWithdraw'],
    state: (world) => {
      const { pool, lp, sides } = drawWithdrawal(world)
      const isKept = ([reserve, amount]: readonly [Term.Term, Term.Term]) =>
        Term.atMost(
          Term.multiply(reserve, Term.subtract(pool.supply, lp)),
          Term.multiply(Term.subtract(reserve, amount), pool.supply),
        )
      return { goal: Term.and(...sides.map(isKept)) }
    },
  },
  'split withdrawal': {
    sentence: 'Two withdrawals never pay more than one withdrawal of their sum.',
    functions: ['PoolMath.withdrawShare'],
    state: (world) => {
      const [reserve, supply] = [world.number('reserve', 'amount'), world.number('supply', 'amount')]
      const [first, second] = [world.number('first', 'amount'), world.number('second', 'amount')]
      const sum = Term.add(first, second)
      world.assume(Term.below(zero, second), Term.atMost(sum, supply))
      const paid = toTerm(world.call('withdrawShare', first, reserve, supply))
      const [restReserve, restSupply] = [Term.subtract(reserve, paid), Term.subtract(supply, first)]
      const then = toTerm(world.call('withdrawShare', second, restReserve, restSupply))
      const whole = toTerm(world.call('withdrawShare', sum, reserve, supply))
      const remainder = Term.subtract(Term.multiply(first, reserve), Term.multiply(paid, supply))
      const parts = Term.add(paid, then)
      const lemmas = () => [
        order(zero, remainder, Term.subtract(supply, sum)),
        order(Term.multiply(then, restSupply), Term.multiply(second, restReserve), supply),
        cancel(Term.multiply(parts, supply), Term.multiply(sum, reserve), restSupply),
        bound(whole, parts),
      ]
      return { goal: Term.atMost(parts, whole), lemmas }
    },
  },
}

type Deposit = {
  readonly pool: Pool
  readonly value: Term.Term
  readonly lp: Term.Term
  readonly amounts: readonly [Term.Term, Term.Term]
  /** That the deposit has one amount for each token. */
  readonly isPair: Term.Term
}

function drawDeposit(world: World, { isFirst }: { readonly isFirst: boolean }): Deposit {
  const [deployed, value] = [Pool.deploy(world), world.number('value', 'amount')]
  const pool = isFirst ? withoutSupply(deployed) : deployed
  if (!isFirst) world.assume(Term.below(zero, pool.supply))
  const [lp, amounts] = toList(pool.call('viewDeposit', value))
  return { pool, value, lp: toTerm(lp), amounts: toTerms(amounts!), isPair: isPair(amounts!) }
}

function withoutSupply(pool: Pool): Pool {
  return pool.change({ base: pool.base.reserve, quote: pool.quote.reserve, supply: zero })
}

/** Lists the reserve before a deposit and the deposited amount of each token. */
function toReserves({ pool, amounts: [base, quote] }: Deposit): readonly (readonly [Term.Term, Term.Term])[] {
  return [
    [pool.base.reserve, base],
    [pool.quote.reserve, quote],
  ]
}

/** Lists the lemmas by which a deposit brings at least the share of its LP tokens of one token. */
function explainDeposit(
  world: World,
  { pool, value, lp }: Deposit,
  [reserve, amount]: readonly [Term.Term, Term.Term],
): readonly Term.Term[] {
  const total = toTerm(world.call('poolValue', pool.quote.reserve, pool.quote.unit))
  return [
    order(Term.multiply(value, reserve), Term.multiply(amount, total), pool.supply),
    order(Term.multiply(lp, total), Term.multiply(value, pool.supply), reserve),
    cancel(Term.multiply(lp, reserve), Term.multiply(amount, pool.supply), total),
  ]
}

function claimReturn(world: World, deposit: Deposit): Claim {
  const { pool, lp } = deposit
  const sides = toReserves(deposit)
  const [base, quote] = sides.map(([reserve, amount]) => Term.add(reserve, amount))
  const supply = Term.add(pool.supply, lp)
  const after = pool.change({ base: base!, quote: quote!, supply })
  const returned = toTerms(after.call('viewWithdraw', lp))
  const deposited = sides.map(([, amount]) => amount)
  return {
    goal: Term.and(...returned.map((amount, index) => Term.atMost(amount, deposited[index]!))),
    lemmas: () => [
      ...sides.flatMap((side) => explainDeposit(world, deposit, side)),
      ...returned.map((amount, index) => cancel(amount, deposited[index]!, supply)),
    ],
  }
}

function drawWithdrawal(world: World) {
  const [pool, lp] = [Pool.deploy(world), world.number('lp', 'amount')]
  const amounts = pool.call('viewWithdraw', lp)
  const [base, quote] = toTerms(amounts)
  const sides = [
    [pool.base.reserve, base],
    [pool.quote.reserve, quote],
  ] as const
  return { pool, lp, sides, isPair: isPair(amounts) }
}

/** Returns that a list has one amount for each token of a pool. */
function isPair(value: Value): Term.Term {
  return Term.equal(Term.integer(toList(value).length), Term.integer(2))
}

/** Returns the amounts of the two tokens of a pool. */
function toTerms(value: Value): readonly [Term.Term, Term.Term] {
  const [base, quote] = toList(value).map(toTerm)
  if (!base || !quote) throw new Error('Cannot use this list as the amounts of two tokens')
  return [base, quote]
}

import { bound, cancel, order } from '../lemmas.ts'
import * as Term from '../Term.ts'
import { toTerm } from '../Value.ts'
import type { World } from '../World.ts'
import { complement, drawFee, drawSides, zero, type Sides } from './Law.ts'

/** A swap of PoolMath: its sides and its fee. */
type Swap = { readonly sides: Sides; readonly epsilon: Term.Term }

/** Draws a swap with a fee. */
export function drawSwap(world: World): Swap {
  return { sides: drawSides(world), epsilon: drawFee(world) }
}

/** Draws two amounts. */
export function drawPair(world: World): readonly [Term.Term, Term.Term] {
  return [world.number('first', 'amount'), world.number('second', 'amount')]
}

/** Draws two amounts, the smaller one first. */
export function drawOrdered(world: World): readonly [Term.Term, Term.Term] {
  const [small, large] = drawPair(world)
  world.assume(Term.atMost(small, large))
  return [small, large]
}

/** Returns the swap in the other direction. */
export function turn({ sides: { origin, target, paid, received }, epsilon }: Swap): Swap {
  return { sides: { origin: target, target: origin, paid: received, received: paid }, epsilon }
}

/** Returns the output of an input before the fee. */
export function toGross(world: World, { origin, target }: Sides, amount: Term.Term): Term.Term {
  return toTerm(world.call('grossOut', amount, origin, target))
}

/** Returns the fee on a gross output. */
export function toFee(world: World, { epsilon }: Swap, gross: Term.Term): Term.Term {
  return toTerm(world.call('feeOn', gross, epsilon))
}

/** Returns the output of an input. */
export function toOutput(world: World, { sides: { origin, target }, epsilon }: Swap, amount: Term.Term): Term.Term {
  return toTerm(world.call('quoteExactIn', amount, origin, target, epsilon))
}

/** Returns the gross output that an exact output needs. */
export function toGrossFor(world: World, { epsilon }: Swap, amount: Term.Term): Term.Term {
  return toTerm(world.call('grossFor', amount, epsilon))
}

/** Returns the input of an exact output. */
export function toInput(world: World, { sides: { origin, target }, epsilon }: Swap, amount: Term.Term): Term.Term {
  return toTerm(world.call('quoteExactOut', amount, origin, target, epsilon))
}

/** Lists the lemmas by which the fee on a gross output is not negative. */
export function keepsFee(world: World, swap: Swap, gross: Term.Term): readonly Term.Term[] {
  return [bound(gross, zero), order(zero, swap.epsilon, gross), bound(toFee(world, swap, gross), Term.integer(-1))]
}

/** Lists the lemmas by which the gross output of an amount is at least the amount. */
export function coversFee({ epsilon }: Swap, amount: Term.Term, gross: Term.Term): readonly Term.Term[] {
  return [order(zero, epsilon, amount), cancel(amount, gross, complement(epsilon))]
}

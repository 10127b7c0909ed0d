import * as Term from '../Term.ts'
import type { Asset, World } from '../World.ts'

/** A law of the contracts: what holds whenever its calls return. */
export type Law = {
  readonly name: string
  readonly sentence: string
  /** The functions that the law is about. */
  readonly functions: readonly string[]
  /** The cases that are proved one by one: the directions of a swap. */
  readonly cases?: readonly Direction[]
  /** Draws numbers, calls functions, assumes the hypotheses, and returns the claim. */
  readonly state: (world: World, direction: Direction) => Claim
}

/** Laws by their names. */
export type NamedLaws = Readonly<Record<string, Omit<Law, 'name'>>>

/** What a law claims, and the lemmas from which it follows: only a proof needs them. */
export type Claim = { readonly goal: Term.Term; readonly lemmas?: () => readonly Term.Term[] }

export type Direction = 'base to quote' | 'quote to base'

export const directions: readonly Direction[] = ['base to quote', 'quote to base']

export const zero = Term.integer(0)
export const one = Term.integer(1)
/** One in the scale of the parameters: 10^18. */
export const wad = Term.integer(10n ** 18n)
/** The price of one dollar. */
export const priceOne = Term.integer(10n ** 8n)

/** The two sides of a swap. An input x is worth x·`paid`, and an output y is worth y·`received`, in one scale. */
export type Sides = {
  readonly origin: Asset
  readonly target: Asset
  readonly paid: Term.Term
  readonly received: Term.Term
}

/** Returns the sides of a swap with the factors of their values. */
export function toSides(origin: Asset, target: Asset): Sides {
  const paid = Term.multiply(origin.price, target.unit)
  const received = Term.multiply(target.price, origin.unit)
  return { origin, target, paid, received }
}

/** Draws the sides of a swap of PoolMath. */
export function drawSides(world: World): Sides {
  return toSides(world.asset('origin'), world.asset('target'))
}

/** Draws a fee that is below one. */
export function drawFee(world: World): Term.Term {
  const epsilon = world.number('epsilon', 'fee')
  world.assume(Term.below(epsilon, wad))
  return epsilon
}

/** Returns what remains of one after a fraction: 10^18 minus the fraction. */
export function complement(fraction: Term.Term): Term.Term {
  return Term.subtract(wad, fraction)
}

/** Returns that a quotient is the exact one rounded down: the largest number whose product is at most the numerator. */
export function isFloor(quotient: Term.Term, numerator: Term.Term, denominator: Term.Term): Term.Term {
  const next = Term.multiply(Term.add(quotient, one), denominator)
  return Term.and(Term.atMost(Term.multiply(quotient, denominator), numerator), Term.below(numerator, next))
}

/** Returns that a quotient is the exact one rounded up: the smallest number whose product is at least the numerator. */
export function isCeil(quotient: Term.Term, numerator: Term.Term, denominator: Term.Term): Term.Term {
  const previous = Term.multiply(Term.subtract(quotient, one), denominator)
  return Term.and(Term.atMost(numerator, Term.multiply(quotient, denominator)), Term.below(previous, numerator))
}

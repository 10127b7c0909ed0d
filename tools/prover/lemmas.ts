import * as Term from './Term.ts'

/** A fact of arithmetic, which is proved once and then used by laws with their terms. */
export type Lemma = {
  readonly name: string
  readonly sentence: string
  readonly parameters: readonly string[]
  readonly state: (...terms: readonly Term.Term[]) => Term.Term
  /** The lemmas from which it follows. A lemma without them follows from what its functions mean. */
  readonly explain?: (...terms: readonly Term.Term[]) => readonly Term.Term[]
}

const [zero, one] = [Term.integer(0), Term.integer(1)]
const wad = Term.integer(10n ** 18n)
const maxDecimals = Term.integer(18)

/** A number is at most a quotient rounded down exactly if its product with the denominator is at most the numerator. */
function atMostFloor(n: Term.Term, d: Term.Term, k: Term.Term): Term.Term {
  const isAtMost = Term.atMost(k, Term.floor(n, d))
  return Term.implies(Term.below(zero, d), Term.equal(isAtMost, Term.atMost(Term.multiply(k, d), n)))
}

/** A number is at least a quotient rounded up exactly if its product with the denominator is at least the numerator. */
function atLeastCeil(n: Term.Term, d: Term.Term, k: Term.Term): Term.Term {
  const isAtLeast = Term.atMost(Term.ceil(n, d), k)
  return Term.implies(Term.below(zero, d), Term.equal(isAtLeast, Term.atMost(n, Term.multiply(k, d))))
}

/** A product with a number that is not negative keeps an order. */
export function order(a: Term.Term, b: Term.Term, c: Term.Term): Term.Term {
  const premise = Term.and(Term.atMost(a, b), Term.atMost(zero, c))
  return Term.implies(premise, Term.atMost(Term.multiply(a, c), Term.multiply(b, c)))
}

/** An order of products with one positive number is the order of the other factors. */
export function cancel(a: Term.Term, b: Term.Term, c: Term.Term): Term.Term {
  const premise = Term.and(Term.atMost(Term.multiply(a, c), Term.multiply(b, c)), Term.below(zero, c))
  return Term.implies(premise, Term.atMost(a, b))
}

/** Equal numbers have equal products with a number. */
export function equalProducts(a: Term.Term, b: Term.Term, c: Term.Term): Term.Term {
  return Term.implies(Term.equal(a, b), Term.equal(Term.multiply(a, c), Term.multiply(b, c)))
}

/** A quotient by a divisor of a factor is exact. */
export function exact(p: Term.Term, d: Term.Term, c: Term.Term): Term.Term {
  const premise = Term.and(Term.below(zero, d), Term.equal(Term.multiply(d, c), wad))
  const product = Term.multiply(p, wad)
  return Term.implies(premise, Term.equal(Term.multiply(Term.floor(product, d), d), product))
}

/** Lists the lemmas from which `exact` follows. */
function explainExact(p: Term.Term, d: Term.Term, c: Term.Term): readonly Term.Term[] {
  const [quotient, whole] = [Term.floor(Term.multiply(p, wad), d), Term.multiply(p, c)]
  return [
    equalProducts(Term.multiply(d, c), wad, p),
    bound(quotient, whole),
    bound(quotient, Term.add(whole, one)),
    equalProducts(quotient, whole, d),
  ]
}

/** The powers of ten up to 10^18 are positive and divide 10^18. */
function powers(e: Term.Term): Term.Term {
  const power = Term.powerOfTen(e)
  const product = Term.multiply(power, Term.powerOfTen(Term.subtract(maxDecimals, e)))
  const premise = Term.and(Term.atMost(zero, e), Term.atMost(e, maxDecimals))
  return Term.implies(premise, Term.and(Term.atMost(one, power), Term.atMost(power, wad), Term.equal(product, wad)))
}

/** Quotients rounded down lose at most as much together as apart. */
export function superadditive(a: Term.Term, b: Term.Term, d: Term.Term): Term.Term {
  const apart = Term.add(Term.floor(a, d), Term.floor(b, d))
  return Term.implies(Term.below(zero, d), Term.atMost(apart, Term.floor(Term.add(a, b), d)))
}

/** All lemmas, each after those from which it follows. */
export const lemmas: readonly Lemma[] = [
  { name: 'floor', sentence: 'k <= floor(n/d) exactly if k·d <= n', parameters: ['n', 'd', 'k'], state: atMostFloor },
  { name: 'ceil', sentence: 'ceil(n/d) <= k exactly if n <= k·d', parameters: ['n', 'd', 'k'], state: atLeastCeil },
  { name: 'order', sentence: 'a <= b and c >= 0 imply a·c <= b·c', parameters: ['a', 'b', 'c'], state: order },
  { name: 'cancel', sentence: 'a·c <= b·c and c > 0 imply a <= b', parameters: ['a', 'b', 'c'], state: cancel },
  { name: 'equal products', sentence: 'a = b implies a·c = b·c', parameters: ['a', 'b', 'c'], state: equalProducts },
  {
    name: 'exact',
    sentence: 'd·c = 10^18 implies floor(p·10^18/d)·d = p·10^18',
    parameters: ['p', 'd', 'c'],
    state: exact,
    explain: explainExact,
  },
  { name: 'powers', sentence: '10^e for 0 <= e <= 18 divides 10^18', parameters: ['e'], state: powers },
  {
    name: 'superadditive',
    sentence: 'floor(a/d) + floor(b/d) <= floor((a+b)/d)',
    parameters: ['a', 'b', 'd'],
    state: superadditive,
  },
]

/** Returns the lemma of a quotient and a number: `atMostFloor` or `atLeastCeil`. A literal needs none. */
export function bound(quotient: Term.Term, k: Term.Term): Term.Term {
  const [n, d] = quotient.args ?? []
  if (quotient.operator === Term.functions.floor) return atMostFloor(n!, d!, k)
  if (quotient.operator === Term.functions.ceil) return atLeastCeil(n!, d!, k)
  return Term.yes
}

/** Lists the lemmas that define the quotients and powers in terms: each quotient lies within one of the exact one. */
export function define(terms: readonly Term.Term[]): readonly Term.Term[] {
  return Term.listParts(terms).flatMap((part) => {
    if (part.operator === Term.functions.floor)
      return [bound(part, part), bound(part, Term.add(part, one)), bound(part, zero)]
    if (part.operator === Term.functions.ceil) {
      return [bound(part, part), bound(part, Term.subtract(part, one)), bound(part, Term.integer(-1))]
    }
    return part.operator === Term.functions.powerOfTen ? [powers(part.args![0]!)] : []
  })
}

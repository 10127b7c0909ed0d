import { bound, order } from './lemmas.ts'
import * as Term from './Term.ts'

/** The least and the greatest value of a term. */
export type Interval = { readonly low: bigint; readonly high: bigint }

/**
 * Lists the lemmas from which the bounds of products and quotients follow from the bounds of their parts. The intervals only choose
 * the lemmas: the solver proves what follows.
 */
export function explainBounds(terms: readonly Term.Term[], known: ReadonlyMap<string, Interval>): readonly Term.Term[] {
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

/**
 * A term over unbounded integers or booleans. Constructors fold literals, so that the same code that builds a term for the solver
 * computes a value when its parts are values.
 */
export type Term = {
  readonly sort: 'Int' | 'Bool'
  /** The term in SMT-LIB. Two terms with the same text are the same term. */
  readonly text: string
  /** The value of a literal. */
  readonly value?: bigint | boolean
  /** What an application applies, with its arguments. */
  readonly operator?: string
  readonly args?: readonly Term[]
}

/** The functions that the solver does not interpret in a law: it knows only the lemmas about them. */
export const functions = {
  floor: 'agio_floor',
  ceil: 'agio_ceil',
  powerOfTen: 'agio_power_of_ten',
} as const

/** The prefix of all names, so that no name is a word of SMT-LIB. */
const prefix = 'agio_'

export const yes: Term = { sort: 'Bool', text: 'true', value: true }
export const no: Term = { sort: 'Bool', text: 'false', value: false }

/** Returns the literal of an integer. */
export function integer(value: bigint | number): Term {
  const exact = BigInt(value)
  return { sort: 'Int', text: exact < 0n ? `(- ${-exact})` : exact.toString(), value: exact }
}

/** Returns an integer variable. */
export function variable(name: string): Term {
  return { sort: 'Int', text: prefix + toSymbol(name) }
}

/** Returns a boolean variable. */
export function condition(name: string): Term {
  return { sort: 'Bool', text: prefix + toSymbol(name) }
}

/** Returns what a view of another contract answers: the same answer for the same arguments. */
export function read(name: string, args: readonly Term[]): Term {
  const answer = `${prefix}read_${toSymbol(name)}`
  return args.length === 0 ? { sort: 'Int', text: answer } : apply('Int', answer, args)
}

export function add(...terms: readonly Term[]): Term {
  const constant = terms.reduce((sum, term) => sum + (integerOf(term) ?? 0n), 0n)
  const rest = terms.filter((term) => integerOf(term) === undefined)
  const all = constant === 0n && rest.length > 0 ? rest : [...rest, integer(constant)]
  return all.length === 1 ? all[0]! : apply('Int', '+', all)
}

export function subtract(left: Term, right: Term): Term {
  const [a, b] = [integerOf(left), integerOf(right)]
  if (a !== undefined && b !== undefined) return integer(a - b)
  return b === 0n ? left : apply('Int', '-', [left, right])
}

export function multiply(...terms: readonly Term[]): Term {
  const constant = terms.reduce((product, term) => product * (integerOf(term) ?? 1n), 1n)
  const rest = terms.filter((term) => integerOf(term) === undefined)
  if (constant === 0n) return integer(0)
  const all = constant === 1n && rest.length > 0 ? rest : [integer(constant), ...rest]
  return all.length === 1 ? all[0]! : apply('Int', '*', all)
}

/** Returns the quotient rounded down, which has a meaning for a positive denominator only. */
export function floor(numerator: Term, denominator: Term): Term {
  const [n, d] = [integerOf(numerator), integerOf(denominator)]
  if (n === undefined || d === undefined || d <= 0n) return apply('Int', functions.floor, [numerator, denominator])
  return integer(floorOf(n, d))
}

/** Returns the quotient rounded up, which has a meaning for a positive denominator only. */
export function ceil(numerator: Term, denominator: Term): Term {
  const [n, d] = [integerOf(numerator), integerOf(denominator)]
  if (n === undefined || d === undefined || d <= 0n) return apply('Int', functions.ceil, [numerator, denominator])
  return integer(-floorOf(-n, d))
}

/** Returns 10 to the power of a term, which has a meaning from 0 to 18 only. */
export function powerOfTen(exponent: Term): Term {
  const e = integerOf(exponent)
  return e === undefined || e < 0n || e > 18n ? apply('Int', functions.powerOfTen, [exponent]) : integer(10n ** e)
}

/** Returns one of two terms by a condition. */
export function choose(when: Term, then: Term, otherwise: Term): Term {
  if (when.value !== undefined) return when.value === true ? then : otherwise
  if (then.text === otherwise.text) return then
  return apply(then.sort, 'ite', [when, then, otherwise])
}

export function equal(left: Term, right: Term): Term {
  if (left.text === right.text) return yes
  if (left.value !== undefined && right.value !== undefined) return toBoolean(left.value === right.value)
  return apply('Bool', '=', left.text < right.text ? [left, right] : [right, left])
}

export function atMost(left: Term, right: Term): Term {
  return compare('<=', left, right)
}

export function below(left: Term, right: Term): Term {
  return compare('<', left, right)
}

export function not(term: Term): Term {
  if (term.value !== undefined) return toBoolean(term.value !== true)
  return term.operator === 'not' ? term.args![0]! : apply('Bool', 'not', [term])
}

export function and(...terms: readonly Term[]): Term {
  if (terms.some(({ value }) => value === false)) return no
  const open = terms.filter(({ value }) => value !== true)
  return open.length > 1 ? apply('Bool', 'and', open) : (open[0] ?? yes)
}

export function or(...terms: readonly Term[]): Term {
  if (terms.some(({ value }) => value === true)) return yes
  const open = terms.filter(({ value }) => value !== false)
  return open.length > 1 ? apply('Bool', 'or', open) : (open[0] ?? no)
}

export function implies(premise: Term, conclusion: Term): Term {
  return or(not(premise), conclusion)
}

/** Lists a term and all terms in it, each once. */
export function listParts(terms: readonly Term[]): readonly Term[] {
  const found = new Map<string, Term>()
  const visit = (term: Term) => {
    if (found.has(term.text)) return
    found.set(term.text, term)
    term.args?.forEach(visit)
  }
  terms.forEach(visit)
  return [...found.values()]
}

/** Replaces the parts of a term, by their text. */
export function substitute(term: Term, replacements: ReadonlyMap<string, Term>): Term {
  const replacement = replacements.get(term.text)
  if (replacement) return replacement
  if (!term.args) return term
  const args = term.args.map((part) => substitute(part, replacements))
  const rebuild = constructors[term.operator!]
  const rebuilt = rebuild ? rebuild(...args) : apply(term.sort, term.operator!, args)
  return replacements.get(rebuilt.text) ?? rebuilt
}

const constructors: Readonly<Record<string, (...args: Term[]) => Term>> = {
  '+': add,
  '-': (left, right) => subtract(left, right),
  '*': multiply,
  '<': (left, right) => below(left, right),
  '<=': (left, right) => atMost(left, right),
  '=': (left, right) => equal(left, right),
  ite: (when, then, otherwise) => choose(when, then, otherwise),
  not: (term) => not(term),
  and,
  or,
  [functions.floor]: (numerator, denominator) => floor(numerator, denominator),
  [functions.ceil]: (numerator, denominator) => ceil(numerator, denominator),
  [functions.powerOfTen]: (exponent) => powerOfTen(exponent),
}

/** Returns the integer of a literal; undefined for any other term. */
export function integerOf({ value }: Term): bigint | undefined {
  return typeof value === 'bigint' ? value : undefined
}

function compare(operator: '<' | '<=', left: Term, right: Term): Term {
  const [a, b] = [integerOf(left), integerOf(right)]
  if (a !== undefined && b !== undefined) return toBoolean(operator === '<' ? a < b : a <= b)
  return apply('Bool', operator, [left, right])
}

function apply(sort: Term['sort'], operator: string, args: readonly Term[]): Term {
  return { sort, operator, args, text: `(${operator} ${args.map(({ text }) => text).join(' ')})` }
}

function toBoolean(value: boolean): Term {
  return value ? yes : no
}

function floorOf(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return quotient * denominator > numerator ? quotient - 1n : quotient
}

function toSymbol(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_')
}

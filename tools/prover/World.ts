import { getFunction, type Ast, type FunctionDefinition } from './Ast.ts'
import { Interpreter, type Replacements, type State } from './Interpreter.ts'
import { Path } from './Path.ts'
import * as Term from './Term.ts'
import type { Struct, Value } from './Value.ts'

/** The kinds of numbers in a law. */
export type Domain = keyof typeof domains

/** The range of each kind. Up to `bound`, no operation overflows; a law holds beyond it too. */
export const domains = {
  address: { min: 0n, max: undefined, bound: 2n ** 160n - 1n },
  amount: { min: 0n, max: undefined, bound: 2n ** 128n - 1n },
  decimals: { min: 0n, max: 18n, bound: 18n },
  /** The parameters, which the constructor bounds: it admits no others. */
  fee: { min: 0n, max: undefined, bound: 10n ** 16n },
  halt: { min: 0n, max: undefined, bound: 10n ** 18n },
  price: { min: 1n, max: undefined, bound: 2n ** 64n - 1n },
  supply: { min: 0n, max: undefined, bound: 2n ** 128n - 1n },
} as const

/** The kind of the answer of each view. */
const answers: Readonly<Record<string, Domain>> = {
  balanceOf: 'amount',
  getRate: 'price',
  token: 'address',
  tokenDecimals: 'decimals',
  totalSupply: 'supply',
}

/** A function by contract and name, such as `PoolMath.grossOut`, with its arguments and the state that it reads. */
type Call = {
  readonly name: string
  readonly args: readonly Value[]
  readonly state: State
  readonly path: Path
}

/** The state of a contract without immutables and variables. */
export const emptyState = { immutables: new Map<number, Value>(), variables: new Map<string, Value>() }

/** Runs a call of the contracts. */
export type Run = (call: Call) => Value

/** Where the numbers of a law come from: variables of a proof, or values of a test. */
export type Source = {
  readonly number: (name: string, domain: Domain) => Term.Term
  readonly condition: (name: string) => Term.Term
  readonly read: (name: string, args: readonly Term.Term[], domain: Domain) => Term.Term
}

/** One side of a swap, as a law names it. */
export type Asset = {
  readonly reserve: Term.Term
  readonly price: Term.Term
  readonly decimals: Term.Term
  readonly unit: Term.Term
}

/** What a law is stated in: numbers, calls, and what has been assumed of them. */
export class World {
  readonly path = new Path()
  readonly #run: Run
  readonly #source: Source
  readonly #isBounded: boolean

  constructor(run: Run, source: Source, { isBounded = false }: { readonly isBounded?: boolean } = {}) {
    this.#run = run
    this.#source = source
    this.#isBounded = isBounded
  }

  /** Draws a number. */
  number(name: string, domain: Domain): Term.Term {
    const number = this.#source.number(name, domain)
    this.#limit(number, domain)
    return number
  }

  /** Draws a condition that may hold or not. */
  condition(name: string): Term.Term {
    return this.#source.condition(name)
  }

  /** Creates the asset of a swap. */
  asset(name: string): Asset {
    const decimals = this.number(`${name} decimals`, 'decimals')
    const [reserve, price] = [this.number(`${name} reserve`, 'amount'), this.number(`${name} price`, 'price')]
    return { reserve, price, decimals, unit: Term.powerOfTen(decimals) }
  }

  /** Assumes conditions as hypotheses. */
  assume(...conditions: readonly Term.Term[]): void {
    for (const condition of conditions) this.path.assume(condition)
  }

  /** Calls a function of PoolMath, and goes on where it returns. */
  call(name: string, ...args: readonly (Term.Term | Asset)[]): Value {
    return this.run(`PoolMath.${name}`, args.map(toValue), { ...emptyState, read: this.read })
  }

  /** Calls any function with a state. */
  run(name: string, args: readonly Value[], state: State): Value {
    return this.#run({ name, args, state, path: this.path })
  }

  /** Returns what a view of another contract answers. */
  readonly read = (name: string, args: readonly Term.Term[]): Term.Term => {
    const domain = answers[name]
    if (!domain) throw new Error(`Cannot read ${name}: its answers have no range`)
    const answer = this.#source.read(name, args, domain)
    this.#limit(answer, domain)
    return answer
  }

  #limit(number: Term.Term, domain: Domain): void {
    const { min, bound } = domains[domain]
    const max = this.#isBounded ? bound : domains[domain].max
    this.assume(Term.atMost(Term.integer(min), number))
    if (max !== undefined) this.assume(Term.atMost(number, Term.integer(max)))
  }
}

/** Returns a run of the contracts by their syntax tree. */
export function runByAst(
  ast: Ast,
  options: { readonly replacements?: Replacements; readonly visited?: Set<number> } = {},
): Run {
  const definitions = new Map<string, FunctionDefinition>()
  return ({ name, args, state, path }) => {
    const [contract = '', method = ''] = name.split('.')
    const interpreter = new Interpreter(ast, { ...options, path, state })
    const definition = definitions.get(name) ?? getFunction(ast, contract, method)
    definitions.set(name, definition)
    if (method !== 'constructor') return interpreter.call(definition, args)
    return { members: Object.fromEntries(interpreter.construct(definition, args)) }
  }
}

function toValue(value: Term.Term | Asset): Value {
  return 'reserve' in value ? toStruct(value) : value
}

/** Returns an asset as the struct of PoolMath. */
function toStruct({ reserve, price, unit }: Asset): Struct {
  return { members: { reserve, price, unit } }
}

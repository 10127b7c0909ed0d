import { setImmediate } from 'node:timers/promises'
import { init, killThreads } from 'z3-solver'
import * as Term from './Term.ts'

/** A question to the solver: whether all assertions can hold together. */
export type Query = { readonly assertions: readonly Term.Term[]; readonly definitions?: string }

/** The answer of the solver. Only exactly `unsat` is a proof, and only exactly `sat` a model; anything else is no answer. */
export type Answer = 'unsat' | 'sat' | { readonly none: string }

/** The effort after which the solver gives up. Unlike a time, it is the same on every machine. */
const effort = 20_000_000

/** What floor, ceil and powers of ten mean, for the proofs of the lemmas. */
export const meanings = [
  `(define-fun ${Term.functions.floor} ((n Int) (d Int)) Int (div n d))`,
  `(define-fun ${Term.functions.ceil} ((n Int) (d Int)) Int (- (div (- n) d)))`,
  `(define-fun ${Term.functions.powerOfTen} ((e Int)) Int ${nestPowers(18)})`,
].join('\n')

/**
 * z3, compiled to WebAssembly. Close it: its thread keeps the process alive.
 *
 * Queries run on the main thread. The asynchronous functions of z3-solver 5.2.0 pass a string to another thread, and free it when the
 * call returns: one in fifty queries was read after its memory had been used again.
 */
export class Solver implements AsyncDisposable {
  readonly #z3: Z3
  readonly #module: Module

  private constructor(z3: Z3, module: Module) {
    this.#z3 = z3
    this.#module = module
  }

  static async start(): Promise<Solver> {
    const { Z3, em } = await init()
    return new Solver(Z3, em as Module)
  }

  /** Asks a query. */
  ask(query: Query): Answer {
    return toAnswer(this.evaluate(format(query)))
  }

  /** Evaluates SMT-LIB in a context of its own, and returns what z3 prints. */
  evaluate(script: string): string {
    const config = this.#z3.mk_config()
    const context = this.#z3.mk_context(config)
    this.#z3.del_config(config)
    const text = new TextEncoder().encode(`${script}\0`)
    const address = this.#module._malloc(text.length)
    this.#module.HEAPU8.set(text, address)
    try {
      return this.#module.UTF8ToString(this.#module._Z3_eval_smtlib2_string(context, address))
    } finally {
      this.#module._free(address)
      this.#z3.del_context(context)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A thread that ends while it starts prints a warning.
    while (!this.#module.PThread.runningWorkers.every(({ loaded }) => loaded)) await setImmediate()
    await killThreads(this.#module)
  }
}

type Z3 = Awaited<ReturnType<typeof init>>['Z3']

/** What the prover uses of the WebAssembly module. */
type Module = {
  readonly HEAPU8: Uint8Array
  readonly PThread: { readonly runningWorkers: readonly { readonly loaded?: boolean }[] }
  readonly UTF8ToString: (address: number) => string
  readonly _malloc: (bytes: number) => number
  readonly _free: (address: number) => void
  readonly _Z3_eval_smtlib2_string: (context: unknown, address: number) => number
}

/** Returns the answer in what z3 prints. After an error z3 goes on, and may print `unsat` for a query that it has not read. */
export function toAnswer(printed: string): Answer {
  const text = printed.trim()
  return text === 'unsat' || text === 'sat' ? text : { none: text }
}

/** Formats a query as SMT-LIB. */
function format({ assertions, definitions }: Query): string {
  const declared = new Map<string, string>()
  for (const part of Term.listParts(assertions)) {
    const name = part.operator ?? part.text
    if (part.value !== undefined || !name.startsWith('agio_') || definitions?.includes(`(define-fun ${name} `)) continue
    declared.set(name, `(declare-fun ${name} (${(part.args ?? []).map(({ sort }) => sort).join(' ')}) ${part.sort})`)
  }
  return [
    `(set-option :rlimit ${effort})`,
    ...(definitions === undefined ? [] : [definitions]),
    ...declared.values(),
    ...assertions.map(({ text }) => `(assert ${text})`),
    '(check-sat)',
  ].join('\n')
}

function nestPowers(max: number): string {
  const powers = Array.from({ length: max }, (_, e) => `(ite (= e ${e}) ${10n ** BigInt(e)} `)
  return `${powers.join('')}${10n ** BigInt(max)}${')'.repeat(max)}`
}

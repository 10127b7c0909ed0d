import * as Term from './Term.ts'
import type { Struct, Value } from './Value.ts'
import { emptyState, type Asset, type World } from './World.ts'

/** The arguments of the constructor of a pool. */
export type Config = Readonly<Record<'base' | 'quote' | 'baseReader' | 'quoteReader' | 'alpha' | 'epsilon', Term.Term>>

/** Values of a pool that a transaction has changed. */
export type Change = { readonly base: Term.Term; readonly quote: Term.Term; readonly supply: Term.Term }

/** A pool with free parameters, prices, balances and supply, as its constructor admits it. */
export class Pool {
  readonly config: Config
  readonly frozen: Term.Term
  readonly #options: Pool.Options

  private constructor(options: Pool.Options) {
    this.config = options.config
    this.frozen = options.frozen
    this.#options = options
  }

  /** Deploys a pool. */
  static deploy(world: World): Pool {
    const config = Pool.configure(world)
    const { members } = Pool.construct(world, config)
    const immutables = new Map(Object.entries(members).map(([id, value]) => [Number(id), value]))
    return new Pool({ world, config, immutables, frozen: world.condition('frozen'), changes: new Map() })
  }

  /** Runs the constructor, and returns the immutables by their declaration. */
  static construct(world: World, config: Config): Struct {
    return world.run('PoolQuotes.constructor', [{ members: config }], { ...emptyState, read: world.read }) as Struct
  }

  /** Returns free arguments of the constructor. */
  static configure(world: World): Config {
    return {
      base: world.number('base', 'address'),
      quote: world.number('quote', 'address'),
      baseReader: world.number('base reader', 'address'),
      quoteReader: world.number('quote reader', 'address'),
      alpha: world.number('alpha', 'halt'),
      epsilon: world.number('epsilon', 'fee'),
    }
  }

  get base(): Asset {
    return this.#asset(this.config.base, this.config.baseReader)
  }

  get quote(): Asset {
    return this.#asset(this.config.quote, this.config.quoteReader)
  }

  get supply(): Term.Term {
    return this.#read('totalSupply', [])
  }

  /** Calls a function of the pool. */
  call(name: string, ...args: readonly Term.Term[]): Value {
    const { world, immutables } = this.#options
    const variables = new Map([['frozen', this.frozen]])
    return world.run(`PoolQuotes.${name}`, args, { immutables, variables, read: this.#read })
  }

  /** Returns the condition under which a call reaches no `revert` statement. */
  returns(name: string, ...args: readonly Term.Term[]): Term.Term {
    return this.#options.world.path.attempt(() => this.call(name, ...args))
  }

  /** Returns the pool with other balances and another supply. */
  change({ base, quote, supply }: Change): Pool {
    const changes = new Map([
      [keyOf('balanceOf', [this.config.base]), base],
      [keyOf('balanceOf', [this.config.quote]), quote],
      [keyOf('totalSupply', []), supply],
    ])
    return new Pool({ ...this.#options, changes })
  }

  #asset(token: Term.Term, reader: Term.Term): Asset {
    const decimals = this.#read('tokenDecimals', [reader])
    const [reserve, price] = [this.#read('balanceOf', [token]), this.#read('getRate', [reader])]
    return { reserve, price, decimals, unit: Term.powerOfTen(decimals) }
  }

  readonly #read = (name: string, args: readonly Term.Term[]): Term.Term =>
    this.#options.changes.get(keyOf(name, args)) ?? this.#options.world.read(name, args)
}

export declare namespace Pool {
  type Options = {
    readonly world: World
    readonly config: Config
    readonly frozen: Term.Term
    readonly immutables: ReadonlyMap<number, Value>
    readonly changes: ReadonlyMap<string, Term.Term>
  }
}

function keyOf(name: string, args: readonly Term.Term[]): string {
  return [name, ...args.map(({ text }) => text)].join(' ')
}

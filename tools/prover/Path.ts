import * as Term from './Term.ts'

/** What a call meets on its way: a fact that holds from there on, or a condition without which an operation panics. */
export type Event =
  | { readonly kind: 'fact'; readonly condition: Term.Term }
  | { readonly kind: 'obligation'; readonly condition: Term.Term; readonly at: Place }

/** The node of an operation in the syntax tree. */
export type Place = { readonly id: number; readonly src: string }

/** Thrown when a call with literal arguments reverts. */
export class Reverted extends Error {}

/** Thrown when an operation of a call with literal arguments panics. */
export class Panicked extends Reverted {}

/**
 * The way of a call through the code: what holds once the call has returned, and what must hold so that it does not panic. Inside
 * a branch, everything holds under the condition of the branch.
 */
export class Path {
  readonly #events: Event[] = []
  readonly #guards: Term.Term[] = []
  readonly #assumed = new Set<string>()
  /** The conditions of `revert` statements, while a call is only attempted. */
  #attempted: Term.Term[] | undefined

  get events(): readonly Event[] {
    return this.#events
  }

  /** What holds since every call has returned. */
  get facts(): readonly Term.Term[] {
    return this.#events.filter(({ kind }) => kind === 'fact').map(({ condition }) => condition)
  }

  /** Goes on only where a condition holds: the code reverts otherwise. */
  require(condition: Term.Term): void {
    for (const part of splitConjunction(condition)) {
      const decided = this.decide(part)
      if (decided === true) continue
      if (decided === false && this.#guards.length === 0) throw new Reverted()
      if (this.#attempted) {
        this.#attempted.push(this.#guarded(part))
        this.#guards.push(part)
        this.#assumed.add(part.text)
      } else this.assume(part)
    }
  }

  /** Goes on only where an operation does not panic because of its operands, and records the obligation. */
  oblige(condition: Term.Term, at: Place): void {
    this.fit(condition, at)
    this.assume(condition)
  }

  /** Records the obligation that a result fits its type. The laws do not depend on it. */
  fit(condition: Term.Term, at: Place): void {
    this.#events.push({ kind: 'obligation', condition: this.#guarded(condition), at })
    if (condition.value === false) throw new Panicked()
  }

  /** Adds what holds from here on. */
  assume(condition: Term.Term): void {
    for (const part of splitConjunction(condition)) {
      if (part.value === true) continue
      if (part.value === false && this.#guards.length === 0) throw new Reverted()
      this.#events.push({ kind: 'fact', condition: this.#guarded(part) })
      this.#assumed.add(part.text)
    }
  }

  /** Returns whether a condition holds on this path; undefined if the path does not decide it. */
  decide(condition: Term.Term): boolean | undefined {
    if (condition.value !== undefined) return condition.value === true
    if (this.#assumed.has(condition.text)) return true
    if (this.#assumed.has(Term.not(condition).text)) return false
    const parts = condition.args ?? []
    if (condition.operator === 'and') return decideAll(parts.map((part) => this.decide(part)))
    if (condition.operator === 'or') return negate(decideAll(parts.map((part) => negate(this.decide(part)))))
    if (condition.operator === 'not') return negate(this.decide(parts[0]!))
    return undefined
  }

  /** Runs a branch, which is reached only where a condition holds. */
  under<T>(condition: Term.Term, run: () => T): T {
    return this.#scoped(() => {
      this.#guards.push(condition)
      for (const part of splitConjunction(condition)) this.#assumed.add(part.text)
      return run()
    })
  }

  /** Runs a call that may revert, and returns the condition under which it reaches no `revert` statement. */
  attempt(run: () => void): Term.Term {
    const conditions: Term.Term[] = []
    this.#attempted = conditions
    try {
      this.#scoped(run)
    } catch (error) {
      if (!(error instanceof Reverted) || error instanceof Panicked) throw error
      return Term.no
    } finally {
      this.#attempted = undefined
    }
    return Term.and(...conditions)
  }

  #scoped<T>(run: () => T): T {
    const [guards, assumed] = [this.#guards.length, [...this.#assumed]]
    try {
      return run()
    } finally {
      this.#guards.length = guards
      this.#assumed.clear()
      for (const text of assumed) this.#assumed.add(text)
    }
  }

  #guarded(condition: Term.Term): Term.Term {
    return Term.implies(Term.and(...this.#guards), condition)
  }
}

/** Lists the conditions that hold together exactly if a condition holds. */
function splitConjunction(condition: Term.Term): readonly Term.Term[] {
  if (condition.operator === 'and') return condition.args!.flatMap(splitConjunction)
  const [inner] = condition.operator === 'not' ? condition.args! : []
  if (inner?.operator === 'or') return inner.args!.flatMap((part) => splitConjunction(Term.not(part)))
  return [condition]
}

function decideAll(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false
  return parts.includes(undefined) ? undefined : true
}

function negate(decided: boolean | undefined): boolean | undefined {
  return decided === undefined ? undefined : !decided
}

import type { Ast, FunctionDefinition } from './Ast.ts'
import { locate } from './Ast.ts'
import { translated } from './expressions.ts'
import { directions, laws, type Direction, type Law } from './laws/laws.ts'
import { define, lemmas, type Lemma } from './lemmas.ts'
import { collectObligations, entries, type Entry } from './obligations.ts'
import { listDraws, tryLaw } from './samples.ts'
import { meanings, type Answer, type Solver } from './Solver.ts'
import * as Term from './Term.ts'
import { runByAst, World, type Run, type Source } from './World.ts'

/** The outcome of one proof. A proof without a failure has succeeded. */
export type Proof = {
  readonly name: string
  readonly sentence: string
  readonly ms: number
  readonly failure?: string | undefined
}

/** The outcomes of all proofs. */
export type Proofs = Readonly<Record<'lemmas' | 'laws' | 'obligations', readonly Proof[]>>

/** Proves all lemmas, laws and obligations of the contracts in a syntax tree. */
export function proveAll(ast: Ast, solver: Solver): Proofs {
  const visited = new Set<number>()
  const run = runByAst(ast, { visited })
  const proofs = {
    lemmas: lemmas.map((lemma) => measure(lemma, () => checkLemma(solver, lemma))),
    laws: laws.map((law) => measure(law, () => checkLaw(solver, law, run) ?? checkFunctions(ast, law))),
    obligations: entries.map((entry) => proveEntry(ast, solver, entry)),
  }
  const missed = listMissed(ast, visited)
  if (missed.length > 0) throw new Error(`Cannot prove the maths: no law is about ${missed.join(', ')}`)
  return proofs
}

/** Free variables and answers: what a proof is about. */
export function createVariables(): Source {
  return {
    number: (name) => Term.variable(name),
    condition: (name) => Term.condition(name),
    read: (name, args) => Term.read(name, args),
  }
}

/** A law over free variables: what it assumes, the lemmas from which it follows, and what it claims. */
export type Formula = Readonly<Record<'hypotheses' | 'lemmas', readonly Term.Term[]>> & { readonly goal: Term.Term }

/** Returns a law over free variables. */
export function formulate(law: Law, run: Run, direction: Direction): Formula {
  const world = new World(run, createVariables())
  const { goal, lemmas: list = () => [] } = law.state(world, direction)
  // The lemmas call functions for their terms. What these calls meet is no hypothesis of the law.
  const hypotheses = world.path.facts
  const instances = list()
  return { goal, hypotheses, lemmas: [...instances, ...define([...hypotheses, ...instances, goal])] }
}

/** Proves a law in all its cases, and that values satisfy its hypotheses; returns why it is not proved. */
export function checkLaw(solver: Solver, law: Law, run: Run): string | undefined {
  for (const direction of listCases(law)) {
    const { goal, hypotheses, lemmas: instances } = formulate(law, run, direction)
    const answer = solver.ask({ assertions: [...hypotheses, ...instances, Term.not(goal)] })
    if (answer !== 'unsat') return explainFailure(answer, law, { run, direction })
    const witness = findValues(law, { run, direction, outcome: 'held' })
    if (!witness) return 'no values satisfy the hypotheses'
    const check = solver.ask({
      assertions: [...hypotheses, ...instances].map((term) => Term.substitute(term, witness)),
    })
    if (check !== 'sat') return `the hypotheses are not satisfiable: ${describeAnswer(check)}`
  }
  return undefined
}

/** Proves a lemma: from the lemmas that it names, or from what its functions mean; returns why it is not proved. */
export function checkLemma(solver: Solver, { parameters, state, explain }: Lemma): string | undefined {
  const terms = parameters.map((name) => Term.variable(name))
  const negated = Term.not(state(...terms))
  const query = explain
    ? { assertions: [...explain(...terms), negated] }
    : { assertions: [negated], definitions: meanings }
  const answer = solver.ask(query)
  return answer === 'unsat' ? undefined : describeAnswer(answer)
}

/** Lists the cases of a law. */
export function listCases({ cases }: Law): readonly Direction[] {
  return cases ?? directions.slice(0, 1)
}

function proveEntry(ast: Ast, solver: Solver, entry: Entry): Proof {
  const { places, goal, lemmas: instances } = collectObligations(entry, runByAst(ast), createVariables())
  const sentence = `${places.length} operations neither overflow nor divide by zero`
  return measure({ name: entry.name, sentence }, () => {
    const answer = solver.ask({ assertions: [...instances, Term.not(goal)] })
    if (answer === 'unsat') return undefined
    return `${describeAnswer(answer)}, among the operations at ${places.map((at) => locate(ast, at)).join(', ')}`
  })
}

type Try = { readonly run: Run; readonly direction: Direction }

/** The values that are tried at most to find a counterexample or a witness. */
const maxTries = 3000

function findValues(law: Law, { run, direction, outcome }: Try & { readonly outcome: 'held' | 'refuted' }) {
  for (const draw of listDraws(maxTries, 1)) {
    const trial = tryLaw(law, run, { draw, direction })
    if (trial.outcome === outcome) return trial.values
  }
  return undefined
}

function explainFailure(answer: Answer, law: Law, { run, direction }: Try): string {
  const values = findValues(law, { run, direction, outcome: 'refuted' })
  const example = values
    ? `false for ${Array.from(values, ([symbol, { text }]) => `${symbol} = ${text}`).join(', ')}`
    : 'no counterexample was found'
  return `${describeAnswer(answer)}; ${example}`
}

function describeAnswer(answer: Answer): string {
  return typeof answer === 'string' ? `the solver answers ${answer}` : `the solver prints ${answer.none}`
}

function measure({ name, sentence }: Pick<Proof, 'name' | 'sentence'>, check: () => string | undefined): Proof {
  const startedMs = performance.now()
  const failure = check()
  return { name, sentence, ms: performance.now() - startedMs, failure }
}

/** Returns the functions of a law that the law does not run. */
function checkFunctions(ast: Ast, law: Law): string | undefined {
  const visited = new Set<number>()
  for (const direction of listCases(law)) formulate(law, runByAst(ast, { visited }), direction)
  const ran = new Set(listFunctions(ast).flatMap(({ name, node }) => (visited.has(node.id) ? [name] : [])))
  const missed = law.functions.filter((name) => !ran.has(name))
  return missed.length === 0 ? undefined : `the law does not run ${missed.join(', ')}`
}

/** Lists the functions with maths that no law has run: those of PoolMath, and those that call one of them. */
function listMissed(ast: Ast, visited: ReadonlySet<number>): readonly string[] {
  return listFunctions(ast).flatMap(({ name, node }) =>
    !visited.has(node.id) && (name.startsWith('PoolMath.') || usesMaths(ast, node)) ? [name] : [],
  )
}

function usesMaths(ast: Ast, { src }: FunctionDefinition): boolean {
  const [start = 0, length = 0, file] = src.split(':').map(Number)
  return [...ast.nodes.values()].some(({ node }) => {
    const [at = 0, , of] = node.src.split(':').map(Number)
    return (
      node.nodeType === 'Identifier' && node.name === 'PoolMath' && of === file && at >= start && at < start + length
    )
  })
}

function listFunctions(ast: Ast): readonly { readonly name: string; readonly node: FunctionDefinition }[] {
  return [...ast.nodes.values()].flatMap(({ node, contract = '' }) =>
    node.nodeType === 'FunctionDefinition' && translated.has(contract)
      ? [{ name: `${contract}.${node.name || node.kind}`, node }]
      : [],
  )
}

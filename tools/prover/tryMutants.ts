import type { Ast } from './Ast.ts'
import { laws, type Law } from './laws/laws.ts'
import { findUnexplained, listMutants, type Mutant } from './mutants.ts'
import { collectObligations, entries, type Entry } from './obligations.ts'
import { Panicked, Reverted } from './Path.ts'
import { createVariables, formulate, listCases } from './prove.ts'
import { createSample, listDraws, tryLaw } from './samples.ts'
import { runByAst, type Run } from './World.ts'

const product = 'The two arguments are only multiplied with each other.'
const pair = 'The check refuses the same pairs of tokens.'

/** The mutants that behave as the code does, each with its reason. */
export const equivalents: ReadonlyMap<string, string> = new Map([
  ['PoolMath.maxOrigin: targetValue > floorValue, with >= for >', 'With equal values both branches are zero.'],
  ['PoolMath.quoteExactIn: feeOn(gross, epsilon), with the arguments 1 and 2 exchanged', product],
  [
    'PoolQuotes._quoteOriginSwap: if (originAmount == 0) revert ZeroAmount(), removed',
    'A zero input pays zero, which the check of the output refuses with the same error.',
  ],
  ...['PoolQuotes.maxOrigin', 'PoolQuotes._quoteOriginSwap', 'PoolQuotes._quoteTargetSwap'].map(
    (owner) => [`${owner}: _checkPair(origin, target), with the arguments 1 and 2 exchanged`, pair] as const,
  ),
  ...[
    '_quoteDeposit: PoolMath.depositShare(value, _balanceOf(_BASE), total)',
    '_quoteDeposit: PoolMath.depositShare(value, quoteReserve, total)',
    '_quoteDeposit: PoolMath.lpFor(value, supply, total)',
    '_quoteWithdraw: PoolMath.withdrawShare(lpAmount, _balanceOf(_BASE), supply)',
    '_quoteWithdraw: PoolMath.withdrawShare(lpAmount, _balanceOf(_QUOTE), supply)',
  ].map((call) => [`PoolQuotes.${call}, with the arguments 1 and 2 exchanged`, product] as const),
])

/** What became of a mutant. */
export type Result = {
  readonly mutant: Mutant
  /** The law or the function without overflow that refutes it; undefined if it survives. */
  readonly refutedBy?: string | undefined
}

/**
 * Tries each mutant with values until a law is false, an operation panics within the bounds, or the interpreter refuses the code.
 * Only laws that run the changed node are tried, those about the fewest nodes first.
 */
export function tryMutants(ast: Ast, options: Options): readonly Result[] {
  const subjects = listSubjects(ast)
  const ids = new Set(subjects.flatMap(({ visited }) => [...visited]))
  const draws = listDraws(options.draws, options.seed)
  return listMutants(ast, ids).map((mutant) => {
    const run = runByAst(ast, { replacements: new Map([[mutant.replaced, mutant.replacement]]) })
    const affected = subjects.filter(({ visited }) => visited.has(mutant.replaced))
    const found = affected.find(({ refutes }) => refutes(run, draws))
    return { mutant, refutedBy: found?.name }
  })
}

type Options = {
  /** The number of values that each law is tried with. */
  readonly draws: number
  readonly seed: number
}

/** Returns the results that are not as they should be. */
export function findSurprises(results: readonly Result[]): readonly string[] {
  const named = results.map(({ mutant: { name }, refutedBy }) => ({ name, refutedBy }))
  return findUnexplained(named, equivalents)
}

type Draws = ReturnType<typeof listDraws>

type Subject = {
  readonly name: string
  readonly visited: ReadonlySet<number>
  readonly refutes: (run: Run, draws: Draws) => boolean
}

/** Lists the laws and the entries with the nodes that each runs. */
function listSubjects(ast: Ast): readonly Subject[] {
  const all = [...laws.map((law) => toSubject(ast, law)), ...entries.map((entry) => toSafety(ast, entry))]
  return all.toSorted((a, b) => a.visited.size - b.visited.size)
}

function toSubject(ast: Ast, law: Law): Subject {
  const visited = new Set<number>()
  for (const direction of listCases(law)) formulate(law, runByAst(ast, { visited }), direction)
  const refutes = (run: Run, draws: Draws) =>
    listCases(law).some((direction) =>
      draws.some((draw) => isUntranslatable(() => tryLaw(law, run, { draw, direction }).outcome === 'refuted')),
    )
  return { name: law.name, visited, refutes }
}

function toSafety(ast: Ast, entry: Entry): Subject {
  const visited = new Set<number>()
  collectObligations(entry, runByAst(ast, { visited }), createVariables())
  const refutes = (run: Run, draws: Draws) => draws.some((draw) => isUntranslatable(() => panics(entry, run, draw)))
  return { name: `no overflow: ${entry.name}`, visited, refutes }
}

function panics(entry: Entry, run: Run, draw: Draws[number]): boolean {
  try {
    collectObligations(entry, run, createSample(draw).source)
    return false
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    return error instanceof Panicked
  }
}

/** Returns the result of a test, or true if the interpreter refuses the code: the proof of such code fails. */
function isUntranslatable(test: () => boolean): boolean {
  try {
    return test()
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Cannot translate ')) return true
    throw error
  }
}

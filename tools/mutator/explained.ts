import { findUnexplained } from '../prover/mutants.ts'
import type { Candidate, SourceResult } from './trySourceMutants.ts'

const onePool =
  'The registry refuses a second pool of a pair, also in the other order, and the router looks in both orders.'
const cut = 'The conversion to bytes32 keeps the first 32 bytes of the longer slice.'

/** The mutants that no Solidity test refutes, each with its reason. */
const explained: ReadonlyMap<string, string> = new Map([
  ...['origin, target', 'origin, quote', 'quote, target'].map(
    (pair) => [`RouteSwaps._routeOf: _findPool(${pair}), with the arguments 1 and 2 exchanged`, onePool] as const,
  ),
  ['PermitPayment.usePermit: signature[:32], with 32 plus one', cut],
  ['PermitPayment.usePermit: signature[32:64], with 64 plus one', cut],
  [
    'RouteSwaps._sellAlong: _sell(route.first, route.origin, route.between, originAmount, 0, deadline), with 0 plus one',
    'A pool refuses an output of zero itself, before it compares the output with the minimum.',
  ],
])

/** Returns the results that are not as they should be. */
export function findSurprises(results: readonly SourceResult[], candidates: readonly Candidate[]): readonly string[] {
  const tried = results.filter(({ outcome }) => outcome === 'killed' || outcome === 'survived')
  const named = tried.map(({ mutant: { name }, killedBy }) => ({ name, refutedBy: killedBy }))
  const names = candidates.map(({ mutant }) => mutant.name)
  return findUnexplained(named, explained, names)
}

/** Returns the share of killed mutants among those that compile to other code, such as `98.5 %`, and the counts of outcomes. */
export function summarize(results: readonly SourceResult[]) {
  const counts = { killed: 0, survived: 0, 'same code': 0, 'does not compile': 0 }
  for (const { outcome } of results) counts[outcome] += 1
  const tried = counts.killed + counts.survived
  return { score: `${((100 * counts.killed) / tried).toFixed(1)} %`, counts, tried }
}

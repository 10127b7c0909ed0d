import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { parseContracts } from '../prover/Ast.ts'
import { SolcError } from '../prover/compile.ts'
import { compileFile, type Changed } from './compileFile.ts'
import { applyMutant, listSourceMutants, type SourceMutant } from './listSourceMutants.ts'
import { findFailure, type TestFile } from './runSolidityTests.ts'

/** A contract that is deployed, the files whose code it contains, and the files of tests that are tried first. */
type Subject = { readonly contract: string; readonly files: readonly string[]; readonly ownTests: RegExp }

const subjects: readonly Subject[] = [
  { contract: 'contracts/Pool.sol', files: ['contracts/Pool.sol'], ownTests: /^contracts\/Pool\./ },
  {
    contract: 'contracts/Router.sol',
    files: ['contracts/Router.sol', 'contracts/RouteSwaps.sol', 'contracts/PermitPayment.sol'],
    ownTests: /^contracts\/Router\./,
  },
  { contract: 'contracts/Faucet.sol', files: ['contracts/Faucet.sol'], ownTests: /^contracts\/Faucet\./ },
]

/** A mutant, with the contract to test and the source that it changes. */
export type Candidate = { readonly subject: Subject; readonly mutant: SourceMutant; readonly source: string }

/** Lists all mutants of the contracts that hold or move tokens. */
export function listCandidates(): readonly Candidate[] {
  return subjects.flatMap((subject) => {
    const ast = parseContracts(subject.contract)
    return listSourceMutants(ast, new Set(subject.files)).map((mutant) => {
      const { source } = ast.files.get(mutant.file)!
      return { subject, mutant, source }
    })
  })
}

/** Chooses mutants at random. A seed chooses the same mutants again. */
export function sampleCandidates(candidates: readonly Candidate[], { seed, count }: Options): readonly Candidate[] {
  const length = Math.min(count, candidates.length)
  const chosen = fc.shuffledSubarray([...candidates], { minLength: length, maxLength: length })
  return fc.sample(chosen, { seed, numRuns: 1 }).flat()
}

type Options = { readonly seed: number; readonly count: number }

/** The result of a mutant. */
export type SourceResult = {
  readonly mutant: SourceMutant
  readonly outcome: 'killed' | 'survived' | 'same code' | 'does not compile'
  /** The first test that fails, with its file. */
  readonly killedBy?: string | undefined
  readonly seconds: number
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Creates a function that tries one mutant by the Solidity tests. @throws if a test fails without a mutant */
export async function createTrial(seed: number): Promise<(candidate: Candidate) => Promise<SourceResult>> {
  const files = globSync('contracts/**/*.t.sol', { cwd: root }).toSorted()
  const imports = new Map<string, ReadonlySet<string>>()
  for (const file of files) {
    const compiled = compileFile(file, { optimizer: 'quick' })
    const failed = await findFailure({ file, ...compiled }, { seed })
    if (failed !== undefined) throw new Error(`Cannot try mutants: ${failed} fails without a mutant`)
    imports.set(file, compiled.imports)
  }
  const kills = new Map<string, number>()
  return async (candidate) => {
    const { mutant } = candidate
    const start = performance.now()
    // A file that has refuted many mutants probably refutes the next one.
    const affected = files
      .filter((file) => imports.get(file)?.has(mutant.file))
      .toSorted((a, b) => (kills.get(b) ?? 0) - (kills.get(a) ?? 0))
    const { outcome, killer } = await tryMutant(candidate, affected, seed)
    if (killer) kills.set(killer.file, (kills.get(killer.file) ?? 0) + 1)
    return { mutant, outcome, killedBy: killer?.test, seconds: (performance.now() - start) / 1000 }
  }
}

type Killer = { readonly file: string; readonly test: string }

async function tryMutant(
  { subject, mutant, source }: Candidate,
  files: readonly string[],
  seed: number,
): Promise<{ readonly outcome: SourceResult['outcome']; readonly killer?: Killer | undefined }> {
  const changed = new Map([[mutant.file, applyMutant(source, mutant)]])
  const isOwn = (file: string) => subject.ownTests.test(file)
  try {
    const killer = await findKiller(files.filter(isOwn), changed, seed)
    if (killer) return { outcome: 'killed', killer }
    if (toCode(subject, changed) === toCode(subject)) return { outcome: 'same code' }
    const others = files.filter((file) => !isOwn(file))
    const laterKiller = await findKiller(others, changed, seed)
    return laterKiller ? { outcome: 'killed', killer: laterKiller } : { outcome: 'survived' }
  } catch (error) {
    if (error instanceof SolcError) return { outcome: 'does not compile' }
    throw error
  }
}

/** Returns the first test that fails: examples, which take milliseconds, before properties. */
async function findKiller(files: readonly string[], changed: Changed, seed: number): Promise<Killer | undefined> {
  const compiled: TestFile[] = []
  for (const file of files) {
    const tests = { file, ...compileFile(file, { optimizer: 'quick', changed }) }
    compiled.push(tests)
    const test = await findFailure(tests, { seed, only: 'examples' })
    if (test !== undefined) return { file, test }
  }
  for (const tests of compiled) {
    const test = await findFailure(tests, { seed, only: 'properties' })
    if (test !== undefined) return { file: tests.file, test }
  }
  return undefined
}

/** Returns the deployed code of a contract, without metadata. */
function toCode({ contract }: Subject, changed?: Changed): string {
  const { contracts } = compileFile(contract, { optimizer: 'deployed', changed })
  return Object.values(contracts)
    .map(({ evm }) => evm.bytecode.object)
    .join()
}

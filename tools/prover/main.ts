// Proves the laws of the pool's maths from the source code of the contracts: `pnpm prove`. `--write` also writes
// docs/reference/laws.md, and `--mutants` instead shows that the laws notice each small change of the code.
import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { parseContracts } from './Ast.ts'
import { proveAll } from './prove.ts'
import { formatMutants, formatPage, formatProofs, listFailures } from './report.ts'
import { Solver } from './Solver.ts'
import { findSurprises, tryMutants } from './tryMutants.ts'

const { values } = parseArgs({
  options: { mutants: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const ast = parseContracts('contracts/Pool.sol')
const failures = values.mutants ? runMutants() : await runProofs()
for (const failure of failures) console.error(failure)
process.exitCode = failures.length === 0 ? 0 : 1

async function runProofs(): Promise<readonly string[]> {
  await using solver = await Solver.start()
  const proofs = proveAll(ast, solver)
  console.log(formatProofs(proofs))
  if (values.write) await writeFile(new URL('../../docs/reference/laws.md', import.meta.url), formatPage(proofs))
  return listFailures(proofs)
}

function runMutants(): readonly string[] {
  const results = tryMutants(ast, { draws: 400, seed: 1 })
  console.log(formatMutants(results))
  return findSurprises(results)
}

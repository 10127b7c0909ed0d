// Changes the contracts in small ways, and runs the Solidity tests on each change: `pnpm mutate`. `--seed` and `--count` choose
// the mutants, and `--only` keeps those whose name contains a text.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { findSurprises, summarize } from './explained.ts'
import { createTrial, listCandidates, sampleCandidates, type SourceResult } from './trySourceMutants.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    count: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
  },
})
const [seed, count] = [Number(values.seed), Number(values.count)]
const candidates = listCandidates()
const matching = candidates.filter(({ mutant }) => mutant.name.includes(values.only))
const chosen = sampleCandidates(matching, { seed, count })
console.log(`${chosen.length} of ${candidates.length} mutants. Repeat with --seed ${seed}`)

const tryMutant = await createTrial(seed)
const results: SourceResult[] = []
for (const candidate of chosen) {
  const result = await tryMutant(candidate)
  results.push(result)
  const { outcome, seconds, mutant, killedBy } = result
  console.log(
    `${outcome}, ${seconds.toFixed(1)} s: ${mutant.name}${killedBy === undefined ? '' : `\n  by ${killedBy}`}`,
  )
}

const { score, counts } = summarize(results)
console.log(counts, score)
const unexplained = findSurprises(results, candidates)
for (const line of unexplained) console.error(line)
process.exitCode = unexplained.length === 0 ? 0 : 1

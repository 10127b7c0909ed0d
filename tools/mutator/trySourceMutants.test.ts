import { expect, it } from 'vitest'
import { randomSeed } from '../../test/harness/randomSeed.ts'
import { longTests } from '../../test/harness/timeLimits.ts'
import { findSurprises, summarize } from './explained.ts'
import { createTrial, listCandidates, sampleCandidates } from './trySourceMutants.ts'
import { recordTrial } from '../../test/long/trials.ts'

const seed = randomSeed('mutants')

it(
  'the Solidity tests refute each sampled mutant of Pool, Router, PermitPayment and Faucet that is not explained',
  { timeout: longTests.solidityTrials },
  async () => {
    const candidates = listCandidates()
    const tryMutant = await createTrial(seed)
    const results = []
    for (const candidate of sampleCandidates(candidates, { seed, count: 200 })) results.push(await tryMutant(candidate))
    const { score, counts, tried } = summarize(results)
    console.info(`Refuted: ${score} of ${tried} mutants`)
    expect(findSurprises(results, candidates), `seed ${seed}`).toEqual([])
    recordTrial({
      trial: 'The Solidity tests notice changes of Pool, Router, PermitPayment and Faucet',
      tried: `${tried} random mutants of ${candidates.length}, seed ${seed}. ${counts['does not compile']} more did not compile, and ${counts['same code']} had the same code`,
      result: `${counts.killed} refuted (${score}), ${counts.survived} survived for a listed reason`,
    })
  },
)

import { expect, it } from 'vitest'
import { recordTrial } from '../../test/long/trials.ts'
import { parseContracts } from './Ast.ts'
import { findSurprises, tryMutants } from './tryMutants.ts'
import { randomSeed } from '../../test/harness/randomSeed.ts'

const seed = randomSeed('values')
const draws = 2000

it('a law refutes each small change of the pool maths that is not listed as equivalent', () => {
  const results = tryMutants(parseContracts('contracts/Pool.sol'), { draws, seed })
  expect(findSurprises(results), `seed ${seed}`).toEqual([])
  const refuted = results.filter(({ refutedBy }) => refutedBy !== undefined).length
  recordTrial({
    trial: 'The laws notice every change of the pool maths',
    tried: `${results.length} mutants of PoolMath.sol and PoolQuotes.sol, each with ${draws} values per law`,
    result: `${refuted} refuted, ${results.length - refuted} listed as equivalent, 0 survived`,
  })
})

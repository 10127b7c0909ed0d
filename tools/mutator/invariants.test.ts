import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { randomSeed } from '../../test/harness/randomSeed.ts'
import { longTests } from '../../test/harness/timeLimits.ts'
import { compileFile } from './compileFile.ts'
import { runSolidityTests } from './runSolidityTests.ts'
import { recordTrial } from '../../test/long/trials.ts'

const seed = randomSeed('calls')
const campaign = { runs: 1250, depth: 80 }

it(
  'each stateful invariant of the contracts holds after each of 100,000 random calls',
  { timeout: longTests.solidityTrials },
  async () => {
    const files = globSync('contracts/**/*.invariant.t.sol', { cwd: fileURLToPath(new URL('../..', import.meta.url)) })
    const calls: bigint[] = []
    for (const file of files) {
      const { contracts } = compileFile(file, { optimizer: 'deployed' })
      const ran = await runSolidityTests({ file, contracts }, { seed, only: 'properties', invariant: campaign })
      for (const { name, result } of ran) {
        expect([name, result.status, result.reason], `seed ${seed}`).toEqual([name, 'Success', undefined])
        if (!('calls' in result.kind)) continue
        console.info(`${name}: ${result.kind.calls} calls`)
        expect(result.kind, name).toMatchObject({ calls: BigInt(campaign.runs * campaign.depth), reverts: 0n })
        calls.push(result.kind.calls)
      }
    }
    expect(calls.length).toBeGreaterThanOrEqual(3)
    recordTrial({
      trial: 'The stateful invariants of the contracts',
      tried: `${calls.length} invariants, each in ${campaign.runs.toLocaleString('en')} runs of ${campaign.depth} random calls, seed ${seed}`,
      result: `All held after each of ${Number(calls.reduce((sum, count) => sum + count, 0n)).toLocaleString('en')} calls, of which 0 reverted`,
    })
  },
)

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { randomSeed } from '../../harness/randomSeed.ts'
import { longTests } from '../../harness/timeLimits.ts'
import { recordTrial } from '../../long/trials.ts'
import { formatCounts, formatLosses, startCampaign, type Campaign, type Tally } from './campaign.ts'
import { listRandomCases, listSystematicCases } from './cases.ts'
import { scenarios } from './scenarios.ts'

const seed = randomSeed('changes of answers')
const isLong = inject('extent') === 'long'

let campaign: Campaign
beforeAll(async () => {
  campaign = await startCampaign()
}, longTests.hostileAnswers)
afterAll(() => campaign?.[Symbol.asyncDispose]())

describe('a service that changes its answers at random', { timeout: longTests.hostileAnswers }, () => {
  it('no change of one value makes the SDK break a promise', async () => {
    const cases = listSystematicCases(campaign, { seed, hasAllChanges: isLong })
    report('Single changes', await campaign.run(cases))
  })

  it('no sequence of changes makes the SDK break a promise', async () => {
    const cases = listRandomCases(campaign, { seed, count: isLong ? 20_000 : 500 })
    report('Sequences of two to six changes', await campaign.run(cases))
  })
})

/** Prints how the runs ended, and asserts that none broke a promise. The long trial is recorded. */
function report(subject: string, tally: Tally): void {
  const total = Object.values(tally.counts)
    .reduce((sum, count) => sum + count, 0)
    .toLocaleString('en')
  console.info(`${total} runs. ${subject}: ${formatCounts(tally)}`)
  expect(formatLosses(tally)).toBe('')
  if (!isLong) return
  recordTrial({
    trial: `An SDK that a hostile service cannot rob. ${subject}`,
    tried: `${total} conversions with changed answers of the service, in ${scenarios.length} scenarios, seed ${seed}`,
    result: `Broken promises: 0. ${formatCounts(tally)}`,
  })
}

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { randomSeed } from '../../harness/randomSeed.ts'
import { longTests } from '../../harness/timeLimits.ts'
import { print, startCampaign, type Campaign } from './campaign.ts'
import { listRandomCases, listSystematicCases } from './cases.ts'
import { formatScenario, scenarios } from './scenarios.ts'

const seed = randomSeed('changes of answers')
const isLong = inject('extent') === 'long'

let campaign: Campaign
beforeAll(async () => {
  campaign = await startCampaign()
})
afterAll(() => campaign?.[Symbol.asyncDispose]())

describe('a service that changes its answers', { timeout: longTests.hostileAnswers }, () => {
  it('each scenario succeeds with an honest service, and keeps all promises', () => {
    const outcomes = campaign.honest.map(({ scenario, outcome: { ended, broken } }) => [
      formatScenario(scenario),
      ended,
      broken,
    ])
    const expected = scenarios.map((scenario) => [
      formatScenario(scenario),
      honestEnds[scenario.flow.kind] ?? 'converted',
      [],
    ])
    expect(outcomes).toEqual(expected)
  })

  it('no change of one value makes the SDK break a promise', async () => {
    const tally = await campaign.run(listSystematicCases(campaign, { seed, hasAllChanges: isLong }))
    print('runs with one change', tally)
    expect(tally.losses).toEqual([])
  })

  it('no sequence of changes makes the SDK break a promise', async () => {
    const tally = await campaign.run(listRandomCases(campaign, { seed, count: isLong ? 20_000 : 500 }))
    print('runs with several changes', tally)
    expect(tally.losses).toEqual([])
  })
})

/** How flows end that do not convert. */
const honestEnds: Readonly<Record<string, string>> = { pending: 'waited', 'speed-up': 'done', cancel: 'done' }

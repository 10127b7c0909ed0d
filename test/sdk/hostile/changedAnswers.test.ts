import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { randomSeed } from '../../harness/randomSeed.ts'
import { longTests } from '../../harness/timeLimits.ts'
import { print, startCampaign, type Campaign } from './campaign.ts'
import { listRandomCases, listSystematicCases } from './cases.ts'
import { formatScenario, scenarios, type Scenario } from './scenarios.ts'

const seed = randomSeed('changes of answers')
const isLong = inject('extent') === 'long'

let campaign: Campaign
beforeAll(async () => {
  campaign = await startCampaign()
})
afterAll(() => campaign?.[Symbol.asyncDispose]())

describe('a service that changes its answers', { timeout: longTests.hostileAnswers }, () => {
  it('each scenario ends as it should with an honest service, and breaks no promise', () => {
    const outcomes = campaign.honest.map(({ scenario, outcome: { ended, broken } }) => [
      formatScenario(scenario),
      ended,
      broken,
    ])
    expect(outcomes).toEqual(scenarios.map((scenario) => [formatScenario(scenario), toHonestEnd(scenario), []]))
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

/** Returns how a scenario ends with an honest service. */
function toHonestEnd({ flow, hasNode }: Scenario): string {
  if ('isPending' in flow) return 'waited'
  if (flow.kind === 'leave' && !hasNode) return 'wallet/wrong-chain'
  return honestEnds[flow.kind] ?? 'converted'
}

/** The ends of the flows that do not convert. */
const honestEnds: Readonly<Record<string, string>> = {
  pending: 'waited',
  cancelled: 'convert/replaced',
  'speed-up': 'done',
  cancel: 'done',
}

import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { randomSeed } from '../../harness/randomSeed.ts'
import { longTests } from '../../harness/timeLimits.ts'
import { recordTrial } from '../../long/trials.ts'
import { formatCounts, formatLosses, startCampaign, type Campaign, type Known, type Tally } from './campaign.ts'
import { listRandomCases, listSystematicCases } from './cases.ts'
import { keyOf, type Leaf, type Tampering } from './leaves.ts'
import type { Outcome } from './runScenario.ts'
import { formatScenario, scenarios, type Scenario } from './scenarios.ts'

const seed = randomSeed('changes of answers')
const isLong = inject('extent') === 'long'

let campaign: Campaign
beforeAll(async () => {
  campaign = await startCampaign()
}, longTests.hostileAnswers)
afterAll(() => campaign?.[Symbol.asyncDispose]())

describe('a service that changes its answers', { timeout: longTests.hostileAnswers }, () => {
  it('each scenario ends as it should with an honest service, and breaks no promise', () => {
    const ends = campaign.honest.map(({ scenario, outcome }) => [formatScenario(scenario), toText(scenario, outcome)])
    expect(ends).toEqual(scenarios.map((scenario) => [formatScenario(scenario), toHonestEnd(scenario)]))
  })

  it('an application that trusts the contracts of the service is robbed by one change, and the check notices it', async () => {
    const scenario: Scenario = { ...scenarios[0], trustsService: true } as Scenario
    const { leaves } = campaign.known[0] as Known
    const spender = leaves.find((leaf) => keyOf(leaf) === 'convert.quote result.data.spender') as Leaf
    const [toAttacker] = campaign.listTamperings(spender)
    const cases = [{ scenario, tamperings: [toAttacker as Tampering], isConsistent: true }]
    const [loss] = (await campaign.run(cases)).losses
    expect(loss?.broken).toContainEqual('2: the spender of a signed Permit')
  })

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

/** Returns how a run with an honest service ended, with its error if it should have ended otherwise, and the promises it broke. */
function toText(scenario: Scenario, { ended, error, broken }: Outcome): string {
  const isExpected = ended === toHonestEnd(scenario)
  return [ended, !isExpected && inspect(error), ...broken].filter(Boolean).join('; ')
}

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

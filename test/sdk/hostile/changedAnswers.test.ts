import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { longTests } from '../../harness/timeLimits.ts'
import { formatLosses, startCampaign, type Campaign, type Known } from './campaign.ts'
import { listAttackerCases } from './cases.ts'
import { keyOf, type Leaf, type Tampering } from './leaves.ts'
import type { Outcome } from './runScenario.ts'
import { fewScenarios, scenarios as allScenarios, type Scenario } from './scenarios.ts'

const isNightly = inject('extent') === 'nightly'
const scenarios = isNightly ? allScenarios : fewScenarios

let campaign: Campaign
beforeAll(async () => {
  campaign = await startCampaign(scenarios)
}, longTests.hostileAnswers)
afterAll(() => campaign?.[Symbol.asyncDispose]())

describe('a service that changes its answers', { timeout: longTests.hostileAnswers }, () => {
  it('each scenario ends as it should with an honest service, and breaks no promise', () => {
    const ends = campaign.honest.map(({ scenario, outcome }) => [JSON.stringify(scenario), toText(scenario, outcome)])
    expect(ends).toEqual(scenarios.map((scenario) => [JSON.stringify(scenario), toHonestEnd(scenario)]))
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

  it('no address and no word of calldata that an attacker replaces with its own makes the SDK break a promise', async () => {
    const known = isNightly ? campaign.known : campaign.known.slice(0, 1)
    const cases = listAttackerCases({ ...campaign, known })
    expect(cases.length).toBeGreaterThan(20)
    expect(formatLosses(await campaign.run(cases))).toBe('')
  })
})

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

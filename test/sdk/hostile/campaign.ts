import { permit2Address } from '@agio/chain'
import type { Hex } from 'viem'
import { startAgio } from '../../harness/startAgio.ts'
import { apiKey } from '../../harness/settingsFor.ts'
import { formatTampering, listLeaves, listTamperings, type Leaf, type Recorded, type Tampering } from './leaves.ts'
import type { World } from './listChanges.ts'
import { installClocks } from './runClock.ts'
import { createGround, runScenario, type Case, type Ground, type Outcome } from './runScenario.ts'
import { needsPending, scenarios as allScenarios, type Scenario } from './scenarios.ts'
import { attacker, chains, service } from './startVictim.ts'

/** A case that broke a promise. */
type Loss = { readonly text: string; readonly broken: readonly string[] }

/** The outcomes of a campaign. */
export type Tally = { readonly counts: Readonly<Record<string, number>>; readonly losses: readonly Loss[] }

/** A scenario with the answers of an honest service, and their leaves. */
export type Known = { readonly scenario: Scenario; readonly leaves: readonly Leaf[] }

/** Starts what all runs share: the service of all tests, and a chain of its own whose blocks may stop. */
export async function startCampaign(scenarios = allScenarios): Promise<Campaign> {
  await using starting = new AsyncDisposableStack()
  starting.defer(installClocks())
  const stack = starting.use(await startAgio())
  const mining = await createGround(service, chains)
  const stoppable = await createGround({ url: stack.url, apiKey }, stack.localnet.chains)
  const groundOf = (scenario: Scenario) => (needsPending(scenario) ? stoppable : mining)
  const honest: { scenario: Scenario; outcome: Outcome }[] = []
  for (const scenario of scenarios)
    honest.push({ scenario, outcome: await runScenario(groundOf(scenario), toHonest(scenario)) })
  const recorded = honest.flatMap(({ outcome }) => outcome.recorded)
  await createWorld(stoppable, recorded)
  const context = { world: await createWorld(mining, recorded), recorded }
  const running = starting.move()
  return {
    honest,
    known: honest.map(({ scenario, outcome }) => ({ scenario, leaves: listLeaves(outcome.recorded) })),
    listTamperings: (leaf) => listTamperings(leaf, context),
    async run(cases) {
      const counts: Record<string, number> = {}
      const losses: Loss[] = []
      const runCase = async (next: Case) => {
        const outcome = await runScenario(groundOf(next.scenario), next)
        counts[outcome.ended] = (counts[outcome.ended] ?? 0) + 1
        if (outcome.broken.length > 0) losses.push({ text: formatCase(next), broken: outcome.broken })
      }
      const waiting = cases.filter(({ scenario }) => !needsPending(scenario))
      const sequential = cases.filter(({ scenario }) => needsPending(scenario))
      const work = async (queue: Case[]) => {
        for (let next = queue.shift(); next; next = queue.shift()) await runCase(next)
      }
      await Promise.all([...Array.from({ length: runsAtOnce }, () => work(waiting)), work(sequential)])
      return { counts, losses }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

// On a chain that mines at once. The blocks of the other chain stop and continue for one run at a time.
const runsAtOnce = 4

export type Campaign = AsyncDisposable & {
  /** The run of each scenario with an honest service. */
  readonly honest: readonly { readonly scenario: Scenario; readonly outcome: Outcome }[]
  readonly known: readonly Known[]
  /** Lists the changes that apply to a leaf. */
  listTamperings(leaf: Leaf): readonly Tampering[]
  run(cases: readonly Case[]): Promise<Tally>
}

/** Code that returns the largest number to each call, as a contract that claims to have paid. */
const boastfulCode = `0x7f${'ff'.repeat(32)}60005260206000f3` as const

async function createWorld({ chain, client }: Ground, recorded: readonly Recorded[]): Promise<World> {
  const { router, factory, faucet, pools } = chain.deployment
  await client.setCode({ address: boastful, bytecode: boastfulCode })
  const addresses = [...Object.values(chain.tokens), ...pools, router, factory, faucet, permit2Address]
  const { transactions } = await client.getBlock({ blockTag: 'latest' })
  const hashes = JSON.stringify(recorded.map(({ answer }) => answer)).match(/(?<="transactionHash":")0x[0-9a-f]{64}/g)
  return {
    attackers: [boastful, attacker],
    addresses: addresses.filter((address) => address !== undefined),
    hashes: [...transactions, ...((hashes ?? []) as Hex[]).slice(0, 2)],
  }
}

const boastful = '0x0000000000000000000000000000000000000b0a'

function toHonest(scenario: Scenario): Case {
  return { scenario, tamperings: [], isConsistent: false }
}

function formatCase({ scenario, tamperings, isConsistent }: Case): string {
  const consistency = isConsistent ? ', and what it builds is consistent' : ''
  return [`${JSON.stringify(scenario)}${consistency}`, ...tamperings.map(formatTampering)].join('\n  ')
}

/** Returns how the runs of a campaign ended, the most frequent end first. */
export function formatCounts({ counts }: Tally): string {
  const sorted = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  return sorted.map(([ended, count]) => `${count.toLocaleString('en')} ${ended}`).join(', ')
}

/** Returns the losses of a campaign as text. */
export function formatLosses({ losses }: Tally): string {
  return losses.map(({ text, broken }) => `${text}\n  breaks ${broken.join('; ')}`).join('\n')
}

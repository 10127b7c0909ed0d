import { permit2Address } from '@agio/chain'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { erc20Abi, maxUint256 } from 'viem'
import { isAgioError, type QuoteRequest } from '../../../packages/sdk/src/index.ts'
import { connectOwner } from '../../harness/connectOwner.ts'
import { writeContract } from '../../harness/writeContract.ts'
import { stayConsistent } from './consistency.ts'
import { createVictims, type Chains, type Victim, type Victims } from './accounts.ts'
import { toErrorAnswer, type Answer, type Changes, type TamperedCall } from './createTamperingFetch.ts'
import { createChange, type Recorded, type Tampering } from './leaves.ts'
import { createPromises, type Evidence, type Promises } from './promises.ts'
import { act } from './act.ts'
import { runWithClock } from './runClock.ts'
import { needsPending, tokens, type Scenario } from './scenarios.ts'
import { createVictim } from './startVictim.ts'

/** A service and a chain, on which scenarios run. */
export type Ground = {
  readonly service: { readonly url: string; readonly apiKey: string }
  readonly chain: LocalChain
  readonly client: ReturnType<typeof connectOwner>['client']
  readonly victims: Victims
  readonly promises: Promises
}

/** Prepares a chain for scenarios. */
export async function createGround(service: Ground['service'], chains: Chains): Promise<Ground> {
  const chain = chains[84532]
  const victims = await createVictims(chains, chain.chainId)
  const promises = await createPromises(chain, victims)
  return { service, chain, client: connectOwner(chain).client, victims, promises }
}

/** A run to make. */
export type Case = {
  readonly scenario: Scenario
  /** What the service changes. */
  readonly tamperings: readonly Tampering[]
  /** Whether the service changes what it builds as it has changed the quote. */
  readonly isConsistent: boolean
}

/** How a run ended, and the promises that it has broken. */
export type Outcome = {
  /** `converted`, `waited`, `done` for a flow without a conversion, or the code of the error. */
  readonly ended: string
  readonly broken: readonly string[]
  /** The answers of the service before they were changed. */
  readonly recorded: readonly Recorded[]
  readonly error: unknown
}

/** Runs a scenario against a service that changes its answers, and checks the promises of the SDK. */
export async function runScenario(ground: Ground, { scenario, tamperings, isConsistent }: Case): Promise<Outcome> {
  const { promises, client, chain } = ground
  const run = await prepareRun(ground, scenario)
  const before = await promises.readState(run.victim)
  const recorded: Recorded[] = []
  const named = new Set<Address>()
  const change = isConsistent ? stayConsistent(createChange(tamperings)) : createChange(tamperings)
  const changes: Changes = {
    '*': async (given, call) => {
      const answer = withExpiry(scenario, given, call)
      recorded.push({ call, answer })
      const changed = await change(answer, call)
      for (const address of listAddresses(changed)) named.add(address)
      return changed
    },
  }
  const stop = new AbortController()
  const options = {
    ...ground.service,
    ...(scenario.hasNode && { nodes: { [chain.chainId]: chain.rpcUrl } }),
    ...(scenario.trustsService && { contracts: 'service' as const }),
  }
  const services = { agio: createVictim(changes, options), honest: createVictim({}, options) }
  const actor = { ...run, ...services, ground, signal: stop.signal, scenario }
  const { receipt, error, accepted, isConversion } = await runWithClock(
    async () => await act(actor),
    () => stop.abort(),
  )
  const wasMined = receipt?.transactionHash !== undefined && (await promises.isMined(receipt.transactionHash))
  if (needsPending(scenario)) await mine(client)
  const mayConvertAgain = isConversion === true && !(isAgioError(error) && error.action === 'resume')
  const evidence: Evidence = {
    victim: run.victim,
    before,
    accepted,
    named: [...named],
    receipt,
    wasMined,
    mayConvertAgain,
  }
  const ended = toEnd(receipt, error)
  const broken = await promises.findBroken(evidence)
  // What an answer causes is an `AgioError`.
  if (/^[A-Z]/.test(ended)) broken.push(`${ended} instead of an AgioError`)
  return { ended, broken, recorded, error }
}

function toEnd(receipt: Evidence['receipt'], error: unknown): string {
  if (error === undefined) return receipt ? 'converted' : 'done'
  if (error instanceof DOMException && error.name === 'AbortError') return 'waited'
  if (!isAgioError(error)) return error instanceof Error ? error.name : 'no error'
  return error.code === 'convert/aborted' ? 'waited' : error.code
}

function listAddresses(answer: Answer): readonly Address[] {
  return (JSON.stringify(answer).match(/0x[0-9a-f]{40}(?![0-9a-f])/gi) ?? []) as Address[]
}

/** Answers the first approval plan of a requote with an expired quote. */
function withExpiry({ flow }: Scenario, answer: Answer, { procedure, index }: TamperedCall): Answer {
  const isFirst = flow.kind === 'requote' && procedure === 'approval.plan' && index === 0
  return isFirst ? toErrorAnswer('svc/quote-expired', { expiresAt: '2026-01-01T00:00:00.000Z' }) : answer
}

type Prepared = { readonly victim: Victim; readonly request: QuoteRequest; readonly recipient: Address }

async function prepareRun({ victims, chain, client }: Ground, scenario: Scenario): Promise<Prepared> {
  const victim = await victims.create(scenario.wallet)
  if (scenario.refusesPermits) {
    victim.user?.answer(({ method }) => (method === 'eth_signTypedData_v4' ? 'reject' : 'confirm'))
  }
  const [from, to] = tokens[scenario.payment][scenario.hops]
  const [tokenIn, tokenOut] = [chain.tokens[from], chain.tokens[to]]
  const allowances = { permit2: [permit2Address, maxUint256], reset: [chain.deployment.router, 1n] } as const
  if (scenario.payment === 'permit2' || scenario.payment === 'reset') {
    const args = allowances[scenario.payment]
    await writeContract(client, {
      address: tokenIn,
      abi: erc20Abi,
      functionName: 'approve',
      args,
      account: victim.address,
    })
  }
  const recipient = scenario.paysOther ? await victims.createAddress() : victim.address
  const common = { chainId: chain.chainId, tokenIn, tokenOut, ...(scenario.paysOther && { recipient }) }
  const request: QuoteRequest =
    scenario.mode === 'exact-in' ? { ...common, amountIn: '1.5' } : { ...common, amountOut: '1.5' }
  return { victim, request, recipient }
}

/** Mines what is pending. */
async function mine(client: Ground['client']): Promise<void> {
  await client.setAutomine(true)
  await client.mine({ blocks: 1 })
}

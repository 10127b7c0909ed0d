import { permit2Address } from '@agio/chain'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { erc20Abi, maxUint256 } from 'viem'
import {
  isAgioError,
  type Agio,
  type AgioQuote,
  type Conversion,
  type QuoteRequest,
  type Step,
} from '../../../packages/sdk/src/index.ts'
import { connectOwner } from '../../harness/connectOwner.ts'
import { writeContract } from '../../harness/writeContract.ts'
import { toText } from '../recordSteps.ts'
import { stayConsistent } from './consistency.ts'
import { createVictims, type Chains, type Victim, type Victims } from './accounts.ts'
import { toErrorAnswer, type Answer, type Changes, type TamperedCall } from './createTamperingFetch.ts'
import { createChange, type Recorded, type Tampering } from './leaves.ts'
import { createPromises, toRaw, type Accepted, type Evidence, type Promises } from './promises.ts'
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
  const { promises, client } = ground
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
  const actor = { ...run, ground, agio: createVictim(changes, ground.service), signal: stop.signal, scenario }
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
  return { ended: toEnd(receipt, error), broken: await promises.findBroken(evidence), recorded, error }
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

type Run = { readonly victim: Victim; readonly request: QuoteRequest; readonly recipient: Address }

async function prepareRun({ victims, chain, client }: Ground, scenario: Scenario): Promise<Run> {
  const victim = await victims.create(scenario.wallet)
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

type Actor = Run & {
  readonly ground: Ground
  readonly agio: Agio
  readonly signal: AbortSignal
  readonly scenario: Scenario
}

type Acted = Pick<Evidence, 'accepted' | 'receipt'> & {
  readonly error?: unknown
  /** Whether the error is of a conversion. */
  readonly isConversion?: boolean
}

/** Acts as the application. Returns what it accepted, and the receipt or the error. */
async function act(actor: Actor): Promise<Acted> {
  const { agio, request, signal, scenario, victim } = actor
  const { kind } = scenario.flow
  const acted: { -readonly [Field in keyof Acted]: Acted[Field] } = { accepted: undefined, receipt: undefined }
  try {
    const isHonest = kind === 'resume' || kind === 'speed-up' || kind === 'cancel'
    const service = isHonest ? createVictim({}, actor.ground.service) : agio
    const quote = kind === 'watch' ? await watchQuote(actor) : await service.quote(request, { signal })
    acted.accepted = toAccepted(quote, actor)
    const step = isHonest ? await stopHonest(actor, service, quote) : undefined
    const options = { wallet: victim.wallet, signal }
    if (kind === 'speed-up' && step) await agio.speedUp(step, options)
    else if (kind === 'cancel' && step) await agio.cancel(step, options)
    else {
      acted.isConversion = true
      const conversion = step ? agio.resume(step, { ...options, ...scenario.options }) : convert(actor, quote)
      acted.receipt = await conversion
      acted.isConversion = false
      if (kind === 'watch') await watchOthers(actor, acted.receipt.transactionHash)
    }
  } catch (error) {
    acted.error = error
  }
  return acted
}

/** Converts with the hostile service. */
function convert({ agio, scenario, victim, signal, ground: { client } }: Actor, quote: AgioQuote): Conversion {
  const { kind } = scenario.flow
  const onStep = async (step: Step) => {
    if (kind === 'pending' && toText(step) === 'convert waiting-for-wallet') await client.setAutomine(false)
    if (kind === 'leave' && toText(step) === 'convert sent') victim.leaveChain()
  }
  return agio.convert({ quote, wallet: victim.wallet, signal, onStep, ...scenario.options })
}

/** Runs an honest conversion up to a step, and returns the step as a page stores it. */
async function stopHonest(
  { scenario: { flow, options }, victim: { wallet }, ground: { client } }: Actor,
  agio: Agio,
  quote: AgioQuote,
) {
  const stop = new AbortController()
  const stopAt = flow.kind === 'resume' ? flow.from : 'confirm needed'
  let stored: Step | undefined
  const onStep = async (step: Step) => {
    if (flow.kind !== 'resume' && toText(step) === 'convert waiting-for-wallet') await client.setAutomine(false)
    if (toText(step) !== stopAt || stop.signal.aborted) return
    stored = JSON.parse(JSON.stringify(step)) as Step
    stop.abort()
  }
  await agio.convert({ quote, wallet, signal: stop.signal, onStep, ...options }).catch((error: unknown) => {
    if (!stored) throw error
  })
  if (!stored) throw new Error(`Cannot stop at ${stopAt}: the conversion has no such step`)
  return stored
}

async function watchQuote({ agio, request, signal }: Actor): Promise<AgioQuote> {
  for await (const quote of agio.watchQuote(request, { signal })) return quote
  throw new Error('Cannot watch the quote: the stream has ended')
}

async function watchOthers({ agio, signal, ground: { chain } }: Actor, transactionHash: `0x${string}`): Promise<void> {
  const { chainId } = chain
  for await (const _ of agio.watchPrices({ chainId }, { signal })) break
  for await (const _ of agio.watchPool({ chainId, poolAddress: chain.pools['tAUD/tUSD'] }, { signal })) break
  for await (const _ of agio.watchTransaction({ chainId, transactionHash }, { signal })) break
}

/** Returns the limits that a quote shows to a user, in raw units. Undefined if they are not amounts. */
function toAccepted(quote: AgioQuote, { request, recipient }: Actor): Accepted | undefined {
  const { tokenIn, tokenOut } = request
  const isExactIn = request.amountIn !== undefined
  const maxInRaw = toRaw(isExactIn ? request.amountIn : quote.maxAmountIn)
  const minOutRaw = toRaw(isExactIn ? quote.minAmountOut : request.amountOut)
  if (maxInRaw === undefined || minOutRaw === undefined) return undefined
  return { tokenIn, tokenOut, recipient, maxInRaw, minOutRaw }
}

/** Mines what is pending. */
async function mine(client: Ground['client']): Promise<void> {
  await client.setAutomine(true)
  await client.mine({ blocks: 1 })
}

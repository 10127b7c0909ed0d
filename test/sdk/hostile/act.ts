import { Network, type Address } from '@agio/core'
import type { Hex } from 'viem'
import type { Agio, AgioQuote, ConvertOptions, QuoteRequest, Step, Wallet } from '../../../packages/sdk/src/index.ts'
import { toText } from '../recordSteps.ts'
import type { Victim } from './accounts.ts'
import type { Accepted } from './limits.ts'
import { toRaw, type Evidence } from './promises.ts'
import type { Ground } from './runScenario.ts'
import { lost, needsPending, type Scenario } from './scenarios.ts'

/** What an application works with. */
export type Actor = {
  readonly ground: Ground
  readonly scenario: Scenario
  readonly victim: Victim
  readonly request: QuoteRequest
  readonly recipient: Address
  /** The client of the hostile service. */
  readonly agio: Agio
  /** The client of the same service without changes. */
  readonly honest: Agio
  readonly signal: AbortSignal
}

export type Acted = Pick<Evidence, 'accepted' | 'receipt'> & {
  readonly error?: unknown
  /** Whether the error is of a conversion. */
  readonly isConversion?: boolean
}

/** Acts as the application and its user. Returns what was accepted, and the receipt or the error. */
export async function act(actor: Actor): Promise<Acted> {
  const { agio, honest, request, signal, scenario } = actor
  const { kind } = scenario.flow
  const acted: { -readonly [Field in keyof Acted]: Acted[Field] } = { accepted: undefined, receipt: undefined }
  try {
    const startsHonest = kind === 'resume' || kind === 'speed-up' || kind === 'cancel'
    const service = startsHonest ? honest : agio
    const quote = kind === 'watch' ? await watchQuote(actor) : await service.quote(request, { signal })
    acted.accepted = toAccepted(quote, actor)
    acted.isConversion = kind !== 'speed-up' && kind !== 'cancel'
    const { receipt, step } = await convert(actor, service, quote)
    acted.receipt = step ? await goOn(actor, step) : receipt
    acted.isConversion = false
    if (kind === 'watch' && receipt) await watchOthers(actor, receipt.transactionHash)
  } catch (error) {
    acted.error = error
  }
  return acted
}

type Converted = { readonly receipt?: Evidence['receipt']; readonly step?: Step | undefined }

/** Converts to the end, or until the page is closed. Then it returns the stored step. */
async function convert(actor: Actor, agio: Agio, quote: AgioQuote): Promise<Converted> {
  const { scenario, signal } = actor
  const { from, at } = toStop(scenario)
  const close = new AbortController()
  let stored: Step | undefined
  let wallet = actor.victim.wallet
  if (at === lost) wallet = loseResponse(wallet, { close, isLost: () => stored?.kind === 'convert' })
  const onStep = async (step: Step) => {
    if (close.signal.aborted) return
    if (from === undefined || toText(step) === from) stored = JSON.parse(JSON.stringify(step)) as Step
    await react(actor, step)
    if (toText(step) === at) close.abort()
  }
  const options = { ...toOptions(actor), wallet, signal: AbortSignal.any([signal, close.signal]), onStep }
  try {
    return { receipt: await agio.convert({ quote, ...options }) }
  } catch (error) {
    if (close.signal.aborted && stored) return { step: stored }
    throw error
  }
}

/** Returns the step that the page stores, and the step at which it is closed. */
function toStop({ flow }: Scenario): { readonly from?: string | undefined; readonly at?: string } {
  if (flow.kind === 'resume') return { from: flow.from, at: flow.from }
  if (flow.kind === 'reload') return { from: flow.from, at: flow.at }
  return flow.kind === 'speed-up' || flow.kind === 'cancel' ? { at: 'confirm needed' } : {}
}

function toOptions({ scenario: { refusesPermits }, signal, victim: { wallet } }: Actor) {
  return { wallet, signal, ...(refusesPermits && { onRefused: 'approve' }) } satisfies Omit<ConvertOptions, 'quote'>
}

/** Does what happens at a step besides the conversion. */
async function react({ scenario, victim: { user }, ground: { client, chain } }: Actor, step: Step): Promise<void> {
  const { kind } = scenario.flow
  const text = toText(step)
  if (needsPending(scenario) && text === 'convert waiting-for-wallet') await client.setAutomine(false)
  const { transactionHash } = step
  if (!user || !transactionHash) return
  if (kind === 'leave' && text === 'convert sent')
    user.setChain(Network.chainIds.find((id) => id !== chain.chainId) as number)
  // The service knows the transaction. Otherwise nodes would forget its nonce.
  const isKnown = text === 'confirm needed' && step.state.pending?.cursor !== undefined
  if (!isKnown || (kind !== 'sped-up' && kind !== 'cancelled')) return
  await (kind === 'sped-up' ? user.speedUp(transactionHash) : user.cancel(transactionHash))
  await client.mine({ blocks: 1 })
}

/** Continues from the stored step with the hostile service. */
async function goOn(actor: Actor, step: Step): Promise<Evidence['receipt']> {
  const { agio, scenario } = actor
  const { flow } = scenario
  const options = toOptions(actor)
  if (flow.kind !== 'speed-up' && flow.kind !== 'cancel') return await agio.resume(step, options)
  await (flow.kind === 'speed-up' ? agio.speedUp(step, options) : agio.cancel(step, options))
  return undefined
}

type Losing = { readonly close: AbortController; readonly isLost: () => boolean }

/** Creates a wallet that sends the conversion and does not respond, because the page is closed. */
function loseResponse(wallet: Wallet, { close, isLost }: Losing): Wallet {
  return {
    async request(args) {
      const response = await wallet.request(args)
      if (args.method !== 'eth_sendTransaction' || !isLost()) return response
      close.abort()
      return await new Promise(() => {})
    },
  }
}

async function watchQuote({ agio, request, signal }: Actor): Promise<AgioQuote> {
  for await (const quote of agio.watchQuote(request, { signal })) return quote
  throw new Error('Cannot watch the quote: the stream has ended')
}

async function watchOthers({ agio, signal, ground: { chain } }: Actor, transactionHash: Hex): Promise<void> {
  const { chainId } = chain
  for await (const _ of agio.watchPrices({ chainId }, { signal })) break
  for await (const _ of agio.watchPool({ chainId, poolAddress: chain.pools['tAUD/tUSD'] }, { signal })) break
  for await (const _ of agio.watchTransaction({ chainId, transactionHash }, { signal })) break
}

/**
 * Returns the limits that a user accepted, in raw units: those that the quote shows, and at least the quoted amount with
 * the slippage of the request. Undefined if the quote shows no amounts.
 */
function toAccepted({ amountIn, amountOut, ...quote }: AgioQuote, { request, recipient }: Actor): Accepted | undefined {
  const { tokenIn, tokenOut } = request
  const [inRaw, outRaw] = [toRaw(amountIn), toRaw(amountOut)]
  const shownRaw = toRaw(request.amountIn === undefined ? quote.maxAmountIn : quote.minAmountOut)
  if (inRaw === undefined || outRaw === undefined || shownRaw === undefined) return undefined
  const common = { tokenIn, tokenOut, recipient }
  if (request.amountIn === undefined) {
    const mostRaw = (inRaw * (10_000n + slippageBps)) / 10_000n + toleranceRaw
    return { ...common, maxInRaw: shownRaw < mostRaw ? shownRaw : mostRaw, minOutRaw: toRaw(request.amountOut) ?? 0n }
  }
  const leastRaw = (outRaw * (10_000n - slippageBps)) / 10_000n - toleranceRaw
  return { ...common, maxInRaw: toRaw(request.amountIn) ?? 0n, minOutRaw: shownRaw > leastRaw ? shownRaw : leastRaw }
}

// The default of requests.
const slippageBps = 5n

// Rounding, and pools that pay less than their views return.
const toleranceRaw = 2n

import { parseAbiItem, parseUnits, type Hex } from 'viem'
import { expect } from 'vitest'
import {
  createAgio,
  isSettled,
  type Agio,
  type ConvertOptions,
  type QuoteRequest,
  type Step,
} from '../../../packages/sdk/src/index.ts'
import { readBalance } from '../../harness/readBalance.ts'
import { apiKey } from '../../harness/settingsFor.ts'
import { recordSteps, type RecordedConversion } from '../recordSteps.ts'
import type { SdkStack } from '../startSdkStack.ts'
import type { Actor } from './createActor.ts'

// Each resume waits for its deadline.
const maxResumes = 3

/**
 * Converts through a wallet as an application does: it stores each step, and resumes in a new client while an error says so. Then the
 * chain decides: paid at most once and within the limits, at most eight prompts, and a receipt for what was paid.
 */
export async function runThrough(stack: SdkStack, actor: Actor, options: Options = {}): Promise<Verdict> {
  const {
    request = stack.request,
    reloadAt = () => false,
    onReload,
    others = [],
    patience = 60,
    fetch: send,
    ...convertOptions
  } = options
  const { client } = stack
  const quote = await stack.agio.quote(request)
  const readBalances = () =>
    Promise.all([quote.tokenIn, quote.tokenOut].map(({ address }) => readBalance(stack.chain, address, actor.address)))
  const fromBlock = await client.getBlockNumber({ cacheTime: 0 })
  const before = await readBalances()
  const steps: Step[] = []
  let [hasReloaded, resumes] = [false, 0]
  actor.onRead = async (count) => {
    if (actor.prompts.length > 0 && count % patience === 0) await stack.pass(61)
  }

  /** Converts, or resumes, in a new page. */
  async function open(from?: Step): Promise<RecordedConversion> {
    const page = new AbortController()
    const reload = (event: Moment) => {
      if (hasReloaded || !reloadAt(event)) return
      hasReloaded = true
      page.abort()
    }
    actor.onPrompt = (prompt) => reload({ prompt })
    const onStep = (step: Step) => {
      steps.push(JSON.parse(JSON.stringify(step)) as Step)
      reload({ step: steps.length })
    }
    const agio = createPage(stack, actor, send)
    const opened = { wallet: actor.wallet, onStep, signal: page.signal, ...convertOptions }
    return await recordSteps(from ? agio.resume(from, opened) : agio.convert({ quote, ...opened }))
  }

  let run = await open()
  while (run.error !== undefined && steps.length > 0) {
    const isReloaded = codeOf(run) === 'convert/aborted'
    if (isReloaded) await onReload?.()
    else if (isSettled(steps.at(-1) as Step) || resumes++ === maxResumes) break
    run = await open(steps.at(-1))
  }
  // What the wallet still holds is executed now, after the conversion has said what became of it.
  await actor.deliver()
  const [paidRaw = 0n, receivedRaw = 0n] = (await readBalances()).map((raw, index) => raw - (before[index] ?? 0n))
  const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
  const filter = { address: quote.tokenOut.address, event, args: { to: actor.address }, fromBlock } as const
  const hashes = (await client.getLogs(filter)).map(({ transactionHash }) => transactionHash)
  const payments = [...new Set(hashes)].filter((hash) => !others.includes(hash))
  const outcome: Outcome = {
    code: codeOf(run),
    isSettled: isSettled(steps.at(-1) as Step),
    payments: payments.length,
    prompts: actor.prompts.length,
    resumes,
  }
  const context = JSON.stringify({ ...outcome, told: steps.map(({ kind, status }) => `${kind} ${status}`) })
  expect(payments.length, context).toBeLessThanOrEqual(1)
  expect(actor.prompts.length, context).toBeLessThanOrEqual(8)
  expect(run.receipt?.transactionHash, context).toBe(payments[0])
  if (!run.receipt) return { outcome, steps }
  const { amountIn, amountOut } = run.receipt
  if (others.length > 0) return { outcome, steps }
  expect([amountIn, amountOut].map((amount) => parseUnits(amount ?? '', 6))).toEqual([-paidRaw, receivedRaw])
  expect(receivedRaw).toBeGreaterThanOrEqual(parseUnits(quote.minAmountOut ?? quote.amountOut, 6))
  expect(-paidRaw).toBeLessThanOrEqual(parseUnits(quote.maxAmountIn ?? quote.amountIn, 6))
  return { outcome, steps }
}

const codeOf = ({ error }: RecordedConversion) => (error as { readonly code?: string } | undefined)?.code ?? 'success'

type Options = Omit<Partial<ConvertOptions>, 'quote' | 'wallet' | 'signal' | 'onStep'> & {
  readonly request?: QuoteRequest
  /** Whether the page is reloaded at a moment. It happens once. */
  readonly reloadAt?: (moment: Moment) => boolean
  /** Called before the page is back. */
  readonly onReload?: () => Promise<void>
  /** Transactions of the account that other conversions made. */
  readonly others?: readonly Hex[]
  /**
   * Reads of a client since a prompt or an execution, after which a minute passes on the chain: the deadline of the quote. Default: 60,
   * which no conversion needs whose wallet executes.
   */
  readonly patience?: number
  /** Sends the requests to the service. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/** The number of the step, or of the prompt that the wallet has taken and not answered. */
type Moment = { readonly step?: number; readonly prompt?: number }

type Verdict = {
  readonly outcome: Outcome
  /** The steps of all pages. */
  readonly steps: readonly Step[]
}

type Outcome = {
  /** The code of the error, or `success`. */
  readonly code: string
  /** Whether an application may start another conversion. */
  readonly isSettled: boolean
  readonly payments: number
  readonly prompts: number
  /** How often the conversion said that it must be resumed. */
  readonly resumes: number
}

/** A conversion that pays once, without a resume. */
export const paidBy = (prompts: number): Outcome => ({
  code: 'success',
  isSettled: true,
  payments: 1,
  prompts,
  resumes: 0,
})

/** Creates the client of a new page, whose requests to the service count as reads. */
export function createPage({ url, chain }: SdkStack, actor: Actor, send = globalThis.fetch): Agio {
  const contracts = { [chain.chainId]: chain.deployment }
  return createAgio({
    url,
    apiKey,
    contracts,
    async fetch(input, init) {
      await actor.countRead()
      return await send(input, init)
    },
  })
}

import { checkQuote } from '../checks/checkQuote.ts'
import { toHex } from '../client/toHex.ts'
import { AgioError, clientError, isAgioError } from '../errors/AgioError.ts'
import { assertExpected } from './assertExpected.ts'
import { createConversion, type Conversion, type Publish } from './Conversion.ts'
import { createConversionRun, type ConversionRun, type ConversionService } from './ConversionRun.ts'
import type { ConversionState, PendingRequest } from './ConversionState.ts'
import type { ConvertOptions, ResumeOptions } from './ConvertOptions.ts'
import { followReplacement } from './followReplacement.ts'
import { adoptLaterRequests } from './settlePending.ts'
import { createConversionTurn, type ConversionTurn } from './createConversionTurn.ts'
import { takeLock, type Release } from './takeLock.ts'
import { parseStep, toStepError, type Step } from './Step.ts'
import { runConversion } from './runConversion.ts'
import { toPlainQuote } from '../quote/AgioQuote.ts'
import { checkPins, getPins } from '../quote/PinnedContracts.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'
import { openWallet } from '../wallet/openWallet.ts'
import type { WalletSession } from '../wallet/WalletSession.ts'

/** Starts the conversion of a quote. */
export function startConversion(service: ConversionService, options: ConvertOptions): Conversion {
  const quote = toPlainQuote(options.quote)
  const conversionId = createId()
  return createConversion(conversionId, async (publish) => {
    const { chainId, blockNumber: fromBlock } = quote
    const unopened: ConversionState = { version: 1, chainId, account: noAccount, quote, fromBlock, refused: [] }
    const session = await openSession({ conversionId, state: unopened, service, options, publish })
    const state = { ...unopened, account: session.account }
    return await inTurn({ conversionId, state, service, session, options, publish }, async (run, turn) => {
      run.begin({ kind: 'quote', status: 'needed' })
      checkQuote(quote)
      checkPins(service.contracts, quote)
      await run.publish({ kind: 'quote', status: 'done', quote, isRequote: false })
      await turn.take()
      return await runConversion(run)
    })
  })
}

/**
 * Resumes a stored conversion.
 *
 * @throws `convert/invalid-step`
 */
export function resumeConversion(service: ConversionService, step: Step, options: ResumeOptions): Conversion {
  const { conversionId, state: stored } = parseStep(step)
  if (options.expected) assertExpected(stored, options.expected)
  return createConversion(conversionId, async (publish) => {
    const session = await openSession({ conversionId, state: stored, service, options, publish })
    const state = stored.account === noAccount ? { ...stored, account: session.account } : stored
    return await inTurn({ conversionId, state, service, session, options, publish }, async (run, turn) => {
      // A transaction with a hash needs no turn: it is followed at once.
      await (state.pending?.transactionHash ? turn.takeIfFree() : turn.take())
      await adoptLaterRequests(run, step)
      return await runConversion(run)
    })
  })
}

/** Creates a random UUID. Pages without TLS have no `crypto.randomUUID`. */
function createId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  // Version 4, variant 1 (RFC 9562).
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

type RunDependencies = Omit<createConversionRun.Dependencies, 'line' | 'endTurn'>

type Use = (run: ConversionRun, turn: ConversionTurn) => Promise<SuccessfulReceipt>

/**
 * Runs a conversion in its turn, and publishes its failure. If the same conversion runs in another page, it waits until that
 * run has ended, and then finds what that run sent.
 */
async function inTurn(dependencies: RunDependencies, use: Use): Promise<SuccessfulReceipt> {
  const { conversionId, service, state, options } = dependencies
  const key = `${state.chainId}:${state.account}:${state.quote.tokenIn.address}`.toLowerCase()
  const turn = service.turns(key)
  const run = createConversionRun({ ...dependencies, line: turn.line, endTurn: () => held.release() })
  const held = createConversionTurn(run, { key, turn })
  const unsubscribe = service.replacements.subscribe((replacement) => followReplacement(run, replacement))
  let unlock: Release = async () => {}
  try {
    unlock = await takeLock(`agio:${conversionId}`, { signal: options.signal, onWait: async () => {} })
    return await use(run, held)
  } catch (cause) {
    if (run.failure) throw run.failure
    const stopped = options.signal?.aborted ? toAborted(run, cause) : cause
    const isOwn = !(stopped instanceof AgioError) && run.isThrownByCaller(stopped)
    const error = isOwn ? stopped : toResumable(run.state, stopped, service.url)
    if (error instanceof AgioError) await run.fail(error)
    throw error
  } finally {
    unsubscribe()
    await Promise.all([held.release(), unlock()])
  }
}

function toAborted({ state }: ConversionRun, cause: unknown): unknown {
  const { transactionHash } = state.pending ?? {}
  const message = `The conversion was stopped by its signal${state.pending ? '' : ': it has no pending transaction'}`
  return clientError('convert/aborted', message, { transactionHash, cause })
}

/**
 * Opens the wallet of a conversion. The wallet is not asked for its accounts if the chain has no trusted contracts.
 * A failure is published as a step.
 *
 * @throws `convert/unpinned-contracts`, and the errors of `openWallet`
 */
async function openSession(dependencies: openSession.Dependencies): Promise<WalletSession> {
  const { service, state, options } = dependencies
  const { wallet, signal } = options
  const { chainId } = state
  try {
    getPins(service.contracts, chainId)
    return await openWallet(wallet, { signal, chainId, nodes: service.nodes })
  } catch (cause) {
    const error = toResumable(dependencies.state, cause)
    if (isAgioError(error)) await publishFailure(dependencies, error)
    throw error
  }
}

declare namespace openSession {
  type Dependencies = {
    readonly conversionId: string
    readonly state: ConversionState
    readonly service: ConversionService
    readonly options: ResumeOptions
    readonly publish: Publish
  }
}

async function publishFailure({ conversionId, state, options, publish }: openSession.Dependencies, error: AgioError) {
  const { transactionHash } = state.pending ?? {}
  const step: Step = {
    conversionId,
    at: new Date().toISOString(),
    ...(transactionHash && { transactionHash }),
    kind: state.pending ? 'convert' : 'quote',
    status: 'failed',
    error: toStepError(error),
    state,
  }
  void publish(step)
  try {
    await options.onStep?.(step)
  } catch {}
}

/** The account of a state until the wallet is opened. */
const noAccount = '0x0000000000000000000000000000000000000000'

/**
 * Returns the error that a conversion ends with. If one of its transactions is pending, or the wallet may send one, the
 * error says so and has the action `resume`, because another conversion could convert twice. Then an error that is not of
 * this package becomes `network/invalid-response`. Without a pending transaction, the error is returned unchanged.
 *
 * @param url URL of the service
 */
export function toResumable({ pending }: Pick<ConversionState, 'pending'>, thrown: unknown, url = ''): unknown {
  if (!pending) return thrown
  const error = thrown instanceof AgioError ? thrown : toUnknown(thrown, url)
  if (finalCodes.has(error.code)) return error
  const { code, details, requestId, status, retryAfterSeconds, cause } = error
  // The message of a wallet may end with a full stop.
  const text = error.message.endsWith('.') ? error.message.slice(0, -1) : error.message
  const message = `${text}. ${describe(pending)}: resume the conversion from this step, and do not start another one`
  const fields = { details, requestId, status, retryAfterSeconds, cause }
  return new AgioError(code, message, { ...fields, retryable: false, action: 'resume' })
}

/** Returns the error for what this package does not expect: a response that it cannot read, or a fault of the caller's code. */
function toUnknown(cause: unknown, url: string): AgioError {
  const reason = cause instanceof Error ? cause.message : 'unknown error'
  return clientError('network/invalid-response', `Cannot continue the conversion: ${reason}`, { url, cause })
}

// After these errors the transaction can no longer convert.
const finalCodes: ReadonlySet<string> = new Set(['convert/replaced', 'convert/dropped'])

function describe({ kind, transactionHash }: PendingRequest): string {
  if (transactionHash !== undefined) return `The transaction ${transactionHash} was sent`
  return `The wallet was asked for the ${names[kind]} and may have sent it, or may send it later`
}

const names = { reset: 'approval', approve: 'approval', batch: 'batch', convert: 'conversion' } as const

import { checkQuote } from '../check/checkQuote.ts'
import { AgioError } from '../errors/AgioError.ts'
import { clientError } from '../errors/clientError.ts'
import { withSignal } from '../client/withSignal.ts'
import { createConversion, type Conversion } from './Conversion.ts'
import { createConversionRun, type ConversionRun, type ConversionService } from './ConversionRun.ts'
import type { ConversionState } from './ConversionState.ts'
import type { ConvertOptions, ResumeOptions } from './ConvertOptions.ts'
import { adoptEarlier } from './adoptEarlier.ts'
import { lockConversion } from './lockConversion.ts'
import { noAccount, openSession } from './openSession.ts'
import { parseStep } from './parseStep.ts'
import { runConversion } from './runConversion.ts'
import type { Step } from './Step.ts'
import { toResumable } from './toResumable.ts'
import { toPlainQuote } from './toPlainQuote.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'

/** Starts the conversion of a quote. */
export function startConversion(service: ConversionService, options: ConvertOptions): Conversion {
  const quote = toPlainQuote(options.quote)
  const conversionId = createId()
  return createConversion(conversionId, async (tell) => {
    const { chainId, blockNumber: fromBlock } = quote
    const unopened: ConversionState = { version: 1, chainId, account: noAccount, quote, fromBlock, refused: [] }
    const session = await openSession({ conversionId, state: unopened, options, tell })
    const state = { ...unopened, account: session.account }
    return await inTurn({ conversionId, state, service, session, options, tell }, async (run, turn) => {
      run.begin({ kind: 'quote', status: 'needed' })
      checkQuote(quote)
      await run.tell({ kind: 'quote', status: 'done', quote, isRequote: false })
      await turn
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
  return createConversion(conversionId, async (tell) => {
    const session = await openSession({ conversionId, state: stored, options, tell })
    const state = stored.account === noAccount ? { ...stored, account: session.account } : stored
    return await inTurn({ conversionId, state, service, session, options, tell }, async (run, turn) => {
      // A known transaction needs no turn: it is followed at once.
      if (!state.pending?.transactionHash) await turn
      await adoptEarlier(run)
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
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

type Parts = Omit<createConversionRun.Parts, 'line'>

type Use = (run: ConversionRun, turn: Promise<void>) => Promise<SuccessfulReceipt>

/** Runs a conversion after those that use the same allowance, and publishes its failure. */
async function inTurn(parts: Parts, use: Use): Promise<SuccessfulReceipt> {
  const { service, state, options } = parts
  const { begin, end, line } = service.turns(
    `${state.chainId}:${state.account}:${state.quote.tokenIn.address}`.toLowerCase(),
  )
  const run = createConversionRun({ ...parts, line })
  try {
    const turn = withSignal(options.signal, () => begin)
    turn.catch(() => {})
    return await lockConversion(parts.conversionId, () => use(run, turn), options.signal)
  } catch (cause) {
    if (run.failure) throw run.failure
    const error = toResumable(run.state, options.signal?.aborted ? toAborted(run, cause) : cause)
    if (error instanceof AgioError) await run.fail(error)
    throw error
  } finally {
    end()
  }
}

function toAborted({ state }: ConversionRun, cause: unknown): unknown {
  const { transactionHash } = state.pending ?? {}
  const message = `The conversion was stopped by its signal${state.pending ? '' : ': it has no pending transaction'}`
  return clientError('convert/aborted', message, { transactionHash, cause })
}

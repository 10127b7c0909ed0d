import type { AgioError } from '../errors/AgioError.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { openWallet } from '../wallet/openWallet.ts'
import type { WalletSession } from '../wallet/WalletSession.ts'
import type { Tell } from './Conversion.ts'
import type { ConversionState } from './ConversionState.ts'
import type { ResumeOptions } from './ConvertOptions.ts'
import type { Step } from './Step.ts'
import { toResumable } from './toResumable.ts'
import { toStepError } from './toStepError.ts'

/**
 * Opens the wallet of a conversion. If the wallet hides its accounts from the page, the failure is published as a step,
 * too.
 */
export async function openSession(opening: openSession.Opening): Promise<WalletSession> {
  const { wallet, signal } = opening.options
  try {
    return await openWallet(wallet, { signal })
  } catch (cause) {
    const error = toResumable(opening.state, cause)
    if (isAgioError(error)) await tellFailure(opening, error)
    throw error
  }
}

export declare namespace openSession {
  type Opening = {
    readonly conversionId: string
    readonly state: ConversionState
    readonly options: ResumeOptions
    readonly tell: Tell
  }
}

async function tellFailure({ conversionId, state, options, tell }: openSession.Opening, error: AgioError) {
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
  void tell(step)
  try {
    await options.onStep?.(step)
  } catch {}
}

/** The account of a state before the wallet has named its account. */
export const noAccount = '0x0000000000000000000000000000000000000000'

import { clientError, type AnyAgioError } from '../errors/AgioError.ts'
import { isIncapable } from '../wallet/toWalletError.ts'
import type { ConversionRun } from './ConversionRun.ts'

/** Most prompts of a conversion. The first is for connecting the wallet, which the conversion does not count. */
const maxPrompts = 8

/**
 * Counts a prompt in the state, before the wallet is asked.
 *
 * @throws `convert/too-many-prompts` if it would be the ninth
 */
export function countPrompt(run: ConversionRun): void {
  const { prompts = 1 } = run.state
  if (prompts >= maxPrompts) {
    const message = `Cannot continue the conversion: it has asked the wallet ${maxPrompts} times`
    throw clientError('convert/too-many-prompts', message, { prompts })
  }
  run.update({ prompts: prompts + 1 })
}

/**
 * Returns whether the refusal of a batch or a permit ends the conversion. By default only a wallet that says by a
 * standard code that it cannot do it leads to the next way. The service refuses a permit because of its signature.
 */
export function endsConversion({ options }: ConversionRun, error: AnyAgioError): boolean {
  if (isIncapable(error)) return options.onRefused === 'stop'
  return error.code.startsWith('wallet/') && !(error.code === 'wallet/rejected' && options.onRefused === 'approve')
}

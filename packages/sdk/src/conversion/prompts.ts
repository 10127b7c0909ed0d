import { clientError, type AnyAgioError } from '../errors/AgioError.ts'
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
 * Returns whether the refusal of a batch or a permit ends the conversion. By default a refusal of the user does, and a
 * wallet that cannot do it does not.
 */
export function endsConversion({ options }: ConversionRun, { code }: AnyAgioError): boolean {
  if (code === 'wallet/rejected') return options.onRefused !== 'approve'
  return code === 'wallet/failed' && options.onRefused === 'stop'
}

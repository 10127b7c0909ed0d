import { isAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { proceed } from './proceed.ts'
import { recover } from './recover.ts'
import { settlePending } from './settlePending.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'

// Each recovery follows a prompt of the user, unless the service contradicts itself.
const maxRecoveries = 20

/**
 * Runs a conversion to its end from any state, new or stored. It settles the last request to the wallet first. The
 * chain and the service determine what comes next.
 */
export async function runConversion(run: ConversionRun): Promise<SuccessfulReceipt> {
  let recoveries = 0
  for (;;) {
    const { pending } = run.state
    if (pending) {
      const receipt = await settlePending(run, pending)
      if (receipt) return receipt
      continue
    }
    try {
      await proceed(run)
    } catch (error) {
      recoveries += 1
      if (!isAgioError(error) || recoveries > maxRecoveries) throw error
      await recover(run, error)
    }
  }
}

import { isAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { proceed } from './proceed.ts'
import { recover } from './recover.ts'
import { settlePending } from './settlePending.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'

// Each one follows a prompt of the user, unless the service contradicts itself.
const maxRecoveries = 20

/**
 * Brings a conversion to its end from whatever state it is in: a new one, a stored one, and one after each of its own steps are
 * the same to it. What the wallet was asked for last is settled first; what comes next follows from the chain and the service.
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

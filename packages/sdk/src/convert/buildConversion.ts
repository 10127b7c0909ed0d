import type { SignedPermit, UnsignedConvert } from '../api/schemas.ts'
import { checkTransaction } from '../check/checkTransaction.ts'
import type { ConversionRun } from './ConversionRun.ts'

/**
 * Requests the transaction of the conversion from the service, and checks it.
 *
 * @throws `convert/mismatch`
 */
export async function buildConversion(run: ConversionRun, permit?: SignedPermit): Promise<UnsignedConvert> {
  const { service, options } = run
  const { quote, account } = run.state
  const input = { quote: quote.quote, userAddress: account, ...(permit && { permit }) }
  const built = await service.api.transaction.buildConvert.query(input, { signal: options.signal })
  checkTransaction({ quote, account, permit }, built.transaction)
  return built
}

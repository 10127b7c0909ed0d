import { AgioError, type UnsignedTransaction } from '@agio/sdk'

/**
 * Asserts that a claim from the service calls the faucet of the network and sends no native currency.
 *
 * @throws `convert/mismatch`
 */
export function assertClaim({ to, value }: Pick<UnsignedTransaction, 'to' | 'value'>, faucet: string | null): void {
  if (to.toLowerCase() === faucet?.toLowerCase() && value === '0') return
  const details = { field: 'to', expected: String(faucet), actual: to }
  const message = `Cannot claim: the transaction calls ${to} with the value ${value}, not the faucet ${faucet}`
  throw new AgioError('convert/mismatch', message, { details, retryable: false, action: 'retry' })
}

import type { Chain } from '@agio/chain'
import { ServiceError, type Address } from '@agio/core'

/**
 * Asserts that an account of a request is not a contract of the deployment, which can neither sign nor spend what it gets.
 *
 * @throws `svc/invalid-address` that names the field
 */
export function assertOutsider({ deployment, getTokens }: Chain, account: Address, field: string): void {
  const { router, faucet, pools } = deployment
  if (![router, faucet, ...pools, ...getTokens().keys()].includes(account)) return
  const message = `Cannot use ${field}: ${account} is a contract of this network, not a wallet`
  throw new ServiceError('svc/invalid-address', message, { field, value: account })
}

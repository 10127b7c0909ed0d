import type { Chain } from '@agio/chain'
import { Errors, type Address } from '@agio/core'

/**
 * Asserts that an account of a request is not a contract of the deployment. Such a contract can neither sign nor spend
 * the tokens that it receives.
 *
 * @throws `svc/invalid-address` with the field
 */
export function assertOutsider(chain: Chain, account: Address, field: string): void {
  const { router, faucet, pools } = chain.deployment
  if (![router, faucet, ...pools, ...chain.pools.getTokens().keys()].includes(account)) return
  const reason = `${account} is a contract of this network, not a wallet`
  throw Errors.invalidAddress({ field, value: account, reason })
}

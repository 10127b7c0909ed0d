import type { Chain } from '@agio/chain'
import { ServiceError } from '@agio/core'

/** Returns the faucet of a network. @throws `svc/not-found` if the deployment has none */
export function getFaucet({ faucet, chainId }: Chain): NonNullable<Chain['faucet']> {
  if (faucet) return faucet
  throw new ServiceError('svc/not-found', `Cannot use the faucet: chain ${chainId} has none`, {})
}

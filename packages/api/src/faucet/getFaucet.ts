import type { Chain } from '@agio/chain'
import { Errors } from '@agio/core'

/** Returns the faucet of a network. @throws `svc/not-found` if the deployment has no faucet */
export function getFaucet({ faucet, chainId }: Chain): NonNullable<Chain['faucet']> {
  if (faucet) return faucet
  throw Errors.notFound({ action: 'use the faucet', reason: `chain ${chainId} has no faucet` })
}

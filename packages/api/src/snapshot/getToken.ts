import type { Snapshot } from '@agio/chain'
import { ServiceError, type Address, type Token } from '@agio/core'

/** Returns a token of the deployment. @throws `svc/unsupported-token` that names the field */
export function getToken({ tokens }: Snapshot, address: Address, field: string): Token {
  const token = tokens.get(address)
  if (token) return token
  throw new ServiceError(
    'svc/unsupported-token',
    `Cannot use token ${address}: it is not one of this network's tokens`,
    {
      field,
      value: address,
    },
  )
}

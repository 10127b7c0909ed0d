import type { Snapshot } from '@agio/chain'
import { Errors, type Address, type Token } from '@agio/core'

/** Returns a token of the deployment. @throws `svc/unsupported-token` with the field */
export function getToken({ tokens }: Snapshot, address: Address, field: string): Token {
  const token = tokens.get(address)
  if (token) return token
  throw Errors.unsupportedToken({ field, value: address })
}

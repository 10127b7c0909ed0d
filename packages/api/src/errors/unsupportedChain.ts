import { chainNames, ServiceError } from '@agio/core'

/**
 * Returns the error for a chain that the service does not serve; its message lists those that it serves.
 *
 * @param refused the field that names the chain, and its value
 * @param chains the served chains by id; all supported networks by default
 */
export function unsupportedChain(
  { field, value }: { readonly field: string; readonly value: unknown },
  chains: object = chainNames,
): ServiceError<'svc/unsupported-chain'> {
  const message = `Cannot use chain ${String(value)}: the service serves only ${Object.keys(chains).join(', ')}`
  return new ServiceError('svc/unsupported-chain', message, { field, value })
}

import { chainIds, defaultChainId, isChainId, ServiceError, type ChainId, toSafeEcho } from '@agio/core'

/** Reads the chain that a scenario is for; the default network if it is absent. @throws `svc/unsupported-chain` */
export function parseChainId(value: unknown = defaultChainId): ChainId {
  if (typeof value === 'number' && isChainId(value)) return value
  const message = `Cannot use chainId: it must be one of the numbers ${chainIds.join(', ')}`
  throw new ServiceError('svc/unsupported-chain', message, { field: 'chainId', value: toSafeEcho(value) })
}

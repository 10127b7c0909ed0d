import type { Snapshot } from '@agio/chain'
import { findPool, ServiceError, type Address, type PoolState } from '@agio/core'

/** Returns a pool of the deployment. @throws `svc/pool-not-found`, and `svc/upstream-error` for one that cannot be read */
export function getPool({ pools, unreadablePools }: Snapshot, address: Address): PoolState {
  const pool = findPool(pools, address)
  if (pool) return pool
  if (unreadablePools.includes(address)) {
    const message = `Cannot read pool ${address}: its contract does not answer as a pool`
    throw new ServiceError('svc/upstream-error', message, {})
  }
  throw new ServiceError('svc/pool-not-found', `Cannot find pool ${address}: it is not one of this network's pools`, {
    field: 'poolAddress',
    value: address,
  })
}

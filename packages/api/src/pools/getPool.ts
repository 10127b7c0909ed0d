import type { Snapshot } from '@agio/chain'
import { findPool, ServiceError, type Address, type PoolState } from '@agio/core'

/** Returns a pool of the deployment. @throws `svc/pool-not-found` */
export function getPool({ pools }: Snapshot, address: Address): PoolState {
  const pool = findPool(pools, address)
  if (pool) return pool
  throw new ServiceError('svc/pool-not-found', `Cannot find pool ${address}: it is not one of this network's pools`, {
    field: 'poolAddress',
    value: address,
  })
}

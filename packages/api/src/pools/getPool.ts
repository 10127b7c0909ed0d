import type { Snapshot } from '@agio/chain'
import { Errors, Pool, type Address } from '@agio/core'

/** Returns a pool of the deployment. @throws `svc/pool-not-found`; `svc/upstream-error` if the pool cannot be read */
export function getPool({ pools, unreadablePools }: Snapshot, address: Address): Pool.Pool {
  const pool = Pool.find(pools, address)
  if (pool) return pool
  if (unreadablePools.includes(address)) {
    throw Errors.upstreamError({ action: `read pool ${address}`, reason: 'its contract does not respond as a pool' })
  }
  throw Errors.poolNotFound({ address })
}

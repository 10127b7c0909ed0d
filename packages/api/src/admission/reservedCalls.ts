import { Errors, type ServiceError } from '@agio/core'

// A process returns a lease within half a second of its last call.
const waitMs = 500

/**
 * Returns the error for a request that the limiter refused although each window has room by its state: leases reserve the
 * remaining calls. The end of the window would be a false time to wait for, because unused calls are returned.
 */
export function reservedCalls(): ServiceError<'svc/rate-limited'> {
  return Errors.rateLimited({ reason: 'the remaining calls are reserved for concurrent requests', waitMs })
}

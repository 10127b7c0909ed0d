import { ServiceError } from '@agio/core'
import type { Revert } from '../revert/decodeRevert.ts'

/** Names a pool's refusal that has no code of its own. */
export function toReverted(action: 'deposit' | 'withdraw', revert: Revert): ServiceError<'svc/reverted'> {
  const reason = `${revert.name}(${revert.args.join(', ')})`
  return new ServiceError('svc/reverted', `Cannot ${action}: the pool reverts with ${reason}`, { revert })
}

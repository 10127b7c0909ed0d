import { Errors } from '@agio/core'

const defaultSeconds = 300

/**
 * Returns the last second at which a conversion may be mined: the requested deadline, or five minutes after the newest
 * block or the wall clock, whichever is later.
 *
 * @throws `svc/deadline-passed` if the requested deadline is not after the newest block, because the pool requires a later
 * deadline
 */
export function resolveDeadline(requested: number | undefined, blockSeconds: bigint, nowMs: number): bigint {
  if (requested === undefined) return BigInt(Math.max(Number(blockSeconds), Math.floor(nowMs / 1000)) + defaultSeconds)
  if (BigInt(requested) > blockSeconds) return BigInt(requested)
  throw Errors.deadlinePassed({ deadline: String(requested), blockSeconds })
}

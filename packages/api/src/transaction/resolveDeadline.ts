import { Errors } from '@agio/core'

const defaultSeconds = 300

/**
 * Returns the last second at which a conversion may be mined: the given deadline, or five minutes after the newest
 * block or the wall clock, whichever is later.
 *
 * @throws `svc/deadline-passed` if the given deadline is not after the newest block, because the pool requires a later
 * deadline
 */
export function resolveDeadline(given: number | undefined, blockSeconds: bigint, nowMs: number): bigint {
  if (given === undefined) return BigInt(Math.max(Number(blockSeconds), Math.floor(nowMs / 1000)) + defaultSeconds)
  if (BigInt(given) > blockSeconds) return BigInt(given)
  throw Errors.deadlinePassed({ deadline: String(given), blockSeconds })
}

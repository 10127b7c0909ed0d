import { Errors } from '@agio/core'

const defaultSeconds = 300

/**
 * Returns the last second at which a conversion may be mined: the given one, or five minutes after the later of the newest
 * block and the wall clock.
 *
 * @throws `svc/deadline-passed` if the given one is not after the newest block: the pool requires a later one
 */
export function resolveDeadline(given: number | undefined, blockSeconds: bigint, nowMs: number): bigint {
  if (given === undefined) return BigInt(Math.max(Number(blockSeconds), Math.floor(nowMs / 1000)) + defaultSeconds)
  if (BigInt(given) > blockSeconds) return BigInt(given)
  throw Errors.deadlinePassed({ deadline: String(given), blockSeconds })
}

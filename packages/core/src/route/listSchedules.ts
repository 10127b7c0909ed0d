import type { Schedule } from '../market/Schedule.ts'
import type { PoolState } from '../pool/PoolState.ts'

/** Lists the known market hours of the prices that some pools convert at. */
export function listSchedules(pools: readonly PoolState[]): readonly Schedule[] {
  const schedules: Schedule[] = []
  for (const { base, quote } of pools) {
    for (const { price } of [base, quote]) {
      if (price.schedule && !schedules.includes(price.schedule)) schedules.push(price.schedule)
    }
  }
  return schedules
}

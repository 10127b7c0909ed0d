import { Month } from '@agio/core'

/** Tells the month of a time, working it out once a month. */
export function createMonthClock(nowMs: number): (atMs: number) => Month.Month {
  let current = spanOf(nowMs)
  return (atMs) => {
    if (atMs < current.startMs || atMs >= current.endMs) current = spanOf(atMs)
    return current.month
  }
}

function spanOf(atMs: number) {
  const month = Month.at(atMs)
  return { month, startMs: Month.startMs(month), endMs: Month.endMs(month) }
}

/**
 * Returns the limit of a window for one of several processes that temporarily cannot share its count. The limit is the
 * last shared count plus an equal share of the remaining calls, rounded up. Together the processes admit at most the
 * limit and one more call per process.
 *
 * @param shared calls at the time when the processes last shared the count
 */
export function toShare(limit: number, shared: number, processes: number): number {
  const left = Math.max(0, limit - shared)
  return Math.min(limit, shared + Math.ceil(left / Math.max(1, processes)))
}

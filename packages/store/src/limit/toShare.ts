/**
 * Returns the limit of a window for one of several processes that cannot share its count for the moment: the calls that all
 * of them knew of, and an equal share of the rest, rounded up. Together they admit at most the limit and one more call for
 * each process.
 *
 * @param shared calls that the processes knew of when they last shared the count
 */
export function toShare(limit: number, shared: number, processes: number): number {
  const left = Math.max(0, limit - shared)
  return Math.min(limit, shared + Math.ceil(left / Math.max(1, processes)))
}

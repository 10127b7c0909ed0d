import { atLeast } from '../stack/atLeast.ts'

// Far below the expected counts of a run of some 31,000 random cases.
const counts = {
  'exactIn base to quote': 9000,
  'exactIn quote to base': 9000,
  ...Object.fromEntries(
    [2, 6, 18].flatMap((base) =>
      [2, 6, 18].flatMap((quote) => [
        [`exactIn ${base} and ${quote} decimals base to quote`, 800],
        [`exactIn ${base} and ${quote} decimals quote to base`, 800],
      ]),
    ),
  ),
  'exactIn amount': 6000,
  'exactIn svc/above-max-origin': 3000,
  'exactIn svc/stale-price': 1000,
  'exactIn svc/amount-too-small': 500,
  'exactIn svc/pool-frozen': 200,
  'exactIn svc/unsupported-token': 100,
  'exactIn svc/invalid-request': 50,
  exactOut: 5000,
  'exactOut amount': 800,
  'exactOut svc/above-max-origin': 1000,
  'exactOut svc/stale-price': 300,
  'exactOut svc/amount-too-small': 10,
  'exactOut svc/pool-frozen': 50,
  'exactOut svc/unsupported-token': 30,
  'exactOut svc/invalid-request': 10,
  maxOrigin: 2500,
  'maxOrigin amount': 1500,
}

/**
 * Matches the counts of a run of random cases, which must have covered each kind of outcome.
 *
 * @param share the size of the run relative to the exhaustive one
 */
export function minimumCounts(share: number): Readonly<Record<string, unknown>> {
  return atLeast(Object.fromEntries(Object.entries(counts).map(([name, least]) => [name, Math.floor(least * share)])))
}

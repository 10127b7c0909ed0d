/** Returns the gas limit for an estimate: 20 % more, so that the transaction succeeds on a slightly changed state. */
export function withMargin(gas: bigint): bigint {
  return (gas * 12n) / 10n
}

/** An estimate plus 20 %: what a limit needs so that a state that has moved a little does not break the transaction. */
export function withMargin(gas: bigint): bigint {
  return (gas * 12n) / 10n
}

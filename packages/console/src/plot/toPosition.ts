/**
 * Converts an amount to a number for a d3 scale. The number has about 16 digits, which is enough only for a position in
 * a plot.
 *
 * @param amount a decimal string, may be negative
 *
 * @throws RangeError for any other text
 */
export function toPosition(amount: string): number {
  const position = Number(amount)
  if (amount.trim() === '' || !Number.isFinite(position))
    throw new RangeError(`Cannot place ${amount}: not a decimal amount`)
  return position
}

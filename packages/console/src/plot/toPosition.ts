/**
 * Returns an amount as the number that a scale of d3 takes. It has about 16 digits: enough for a place in a picture, and for
 * nothing else.
 *
 * @param amount a decimal string, also a negative one
 * @throws RangeError if it is none
 */
export function toPosition(amount: string): number {
  const position = Number(amount)
  if (amount.trim() === '' || !Number.isFinite(position))
    throw new RangeError(`Cannot place ${amount}: it is no amount`)
  return position
}

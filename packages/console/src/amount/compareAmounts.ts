/** Compares two amounts, which are decimal strings without a sign: negative if the first is less, 0 if they are equal. */
export function compareAmounts(one: string, other: string): -1 | 0 | 1 {
  const digits = Math.max(fractionOf(one).length, fractionOf(other).length)
  const [first, second] = [toRaw(one, digits), toRaw(other, digits)]
  if (first === second) return 0
  return first < second ? -1 : 1
}

function toRaw(amount: string, digits: number): bigint {
  const [whole = ''] = amount.split('.')
  return BigInt(whole + fractionOf(amount).padEnd(digits, '0'))
}

function fractionOf(amount: string): string {
  return amount.split('.')[1] ?? ''
}

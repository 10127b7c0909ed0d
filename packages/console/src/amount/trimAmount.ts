/** Removes the zeros at the end of an amount, which add nothing to it: `100.000000` becomes `100`. */
export function trimAmount(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

/** Removes trailing zeros from an amount: `100.000000` becomes `100`. */
export function trimAmount(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

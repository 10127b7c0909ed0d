/** Removes trailing zeros from the fraction of an amount or a rate: `0.651200` becomes `0.6512`. */
export function trimZeros(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

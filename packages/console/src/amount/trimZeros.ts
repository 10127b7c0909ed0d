/** Leaves out zeros at the end of the fraction of an amount or a rate, which say nothing: `0.651200` is `0.6512`. */
export function trimZeros(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

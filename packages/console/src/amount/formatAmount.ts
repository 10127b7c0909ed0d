/** Groups the digits of an amount before the point: `767813.267813` becomes `767,813.267813`. No digit is left out. */
export function formatAmount(amount: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(amount) ?? [undefined, '', amount]
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`
}

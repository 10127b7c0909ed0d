/** Groups the integer digits of an amount: `767813.267813` becomes `767,813.267813`. Keeps all digits. */
export function formatAmount(amount: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(amount) ?? [undefined, '', amount]
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`
}

import { Decimal } from '@agio/react/internal'

/** The preset tolerances in basis points. The first is the default of the service. */
export const slippagePresets = [5, 10, 50] as const

/** The default tolerance in basis points. */
export const defaultSlippageBps = slippagePresets[0]

const maxSlippageBps = 5000
// More than a stablecoin market usually moves within a minute.
const highSlippageBps = 100

/** Formats basis points as percent, with all digits: 5 is `0.05`. */
export function formatPercent(bps: number): string {
  const digits = String(bps).padStart(3, '0')
  const fraction = digits.slice(-2).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -2) : Decimal.localize(`${digits.slice(0, -2)}.${fraction}`)
}

/**
 * Parses a tolerance in percent, such as `0.25` or `0,25 %`, into basis points, or returns the reason why it is
 * invalid.
 */
export function parsePercent(text: string): { readonly bps: number } | { readonly error: string } {
  const [, whole, fraction = ''] = /^\s*(\d{0,3})(?:[.,](\d*))?\s*%?\s*$/.exec(text) ?? []
  if (whole === undefined || whole + fraction === '') return { error: 'Enter a percentage, such as 0.25.' }
  if (fraction.length > 2) return { error: 'Enter at most two decimals: 0.01% is the smallest step.' }
  const bps = Number(whole + fraction.padEnd(2, '0'))
  return bps > maxSlippageBps ? { error: `Enter at most ${formatPercent(maxSlippageBps)}%.` } : { bps }
}

/** Returns a warning for an unusual tolerance, or undefined. */
export function findSlippageWarning(bps: number): string | undefined {
  if (bps === 0) return 'Any price change will revert the conversion.'
  if (bps <= highSlippageBps) return undefined
  return `The price may be up to ${formatPercent(bps)}% worse than quoted.`
}

import type { Step } from '@agio/sdk'

/**
 * Returns whether a conversion can be resumed with an account. It must be the account that started the conversion, or
 * any account if the wallet did not name one.
 */
export function isAccountOf({ state }: Step, account: string): boolean {
  return /^0x0+$/.test(state.account) || state.account.toLowerCase() === account.toLowerCase()
}

import type { Step } from '@agio/sdk'

/** Whether an account is the one that a conversion began with, or may become it: a wallet that named none began with none. */
export function isAccountOf({ state }: Step, account: string): boolean {
  return /^0x0+$/.test(state.account) || state.account.toLowerCase() === account.toLowerCase()
}

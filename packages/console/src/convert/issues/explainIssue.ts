import { Decimal, explainError } from '@agio/react/internal'
import type { AgioQuoteData, Issue, ApprovalStep } from '@agio/sdk'

/** The description of an issue of a wallet. */
export type IssueWords = {
  readonly title: string
  readonly text: string
  /** The remedy: test tokens from the faucet, an approval, or a new quote. */
  readonly remedy: 'fund' | 'approve' | 'requote' | undefined
  /** The reason why the conversion cannot be started. Undefined if the conversion fixes the issue itself. */
  readonly obstacle: string | undefined
}

/** Describes an issue of a quote with exact amounts. */
export function explainIssue({ code, required, current, message }: Issue, { tokenIn, native }: Symbols): IssueWords {
  const has = (symbol: string) => `It holds ${Decimal.format(current)} ${symbol}`
  const amount = (symbol: string) => `${Decimal.format(required)} ${symbol}`
  switch (code) {
    case 'svc/insufficient-balance':
      return {
        title: `The wallet does not hold enough ${tokenIn.symbol}`,
        text: `${has(tokenIn.symbol)}, but ${amount(tokenIn.symbol)} is needed.`,
        remedy: 'fund',
        obstacle: `The wallet does not hold enough ${tokenIn.symbol}.`,
      }
    case 'svc/insufficient-gas':
      return {
        title: `The wallet cannot pay for gas`,
        text: `${has(native.symbol)}, but gas may cost up to ${amount(native.symbol)}.`,
        remedy: undefined,
        obstacle: `The wallet does not hold enough ${native.symbol} for gas.`,
      }
    case 'svc/insufficient-allowance':
      return {
        title: `${tokenIn.symbol} is not approved yet`,
        text: `Its allowance is ${Decimal.format(current)} ${tokenIn.symbol}, but ${amount(tokenIn.symbol)} is needed.`,
        remedy: 'approve',
        obstacle: undefined,
      }
    case 'svc/account-blocked':
    case 'svc/token-paused': {
      const { title, next } = explainError({ code, message, details: {} })
      return { title, text: next, remedy: undefined, obstacle: `${title}.` }
    }
    default:
      return { title: 'The price has moved', text: message, remedy: 'requote', obstacle: undefined }
  }
}

type Symbols = {
  readonly tokenIn: Pick<AgioQuoteData['tokenIn'], 'symbol'>
  readonly native: { readonly symbol: string }
}

/**
 * Describes what a conversion asks the wallet for. `steps` come from `approval/plan` and are undefined while unknown.
 */
export function describePlan(steps: readonly Pick<ApprovalStep, 'kind'>[] | undefined): string {
  if (!steps) return 'The conversion first asks for a signature or an approval.'
  const kinds = new Set(steps.map(({ kind }) => kind))
  if (kinds.has('permit') || kinds.has('permit2')) return 'The conversion first asks for one signature.'
  if (kinds.has('reset')) return 'The conversion first asks you to reset the approval, then to approve again.'
  return kinds.has('approve') ? 'The conversion first asks for an approval.' : 'The token is now approved.'
}

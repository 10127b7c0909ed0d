import type { AgioQuoteData, Issue } from '@agio/sdk'
import { formatAmount } from '../../amount/formatAmount.ts'

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
  const has = (symbol: string) => `It holds ${formatAmount(current)} ${symbol}`
  const amount = (symbol: string) => `${formatAmount(required)} ${symbol}`
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
        text: `Its allowance is ${formatAmount(current)} ${tokenIn.symbol}, but ${amount(tokenIn.symbol)} is needed.`,
        remedy: 'approve',
        obstacle: undefined,
      }
    default:
      return { title: 'The price has moved', text: message, remedy: 'requote', obstacle: undefined }
  }
}

type Symbols = {
  readonly tokenIn: Pick<AgioQuoteData['tokenIn'], 'symbol'>
  readonly native: { readonly symbol: string }
}

import { Amount, type Token } from '@agio/core'
import { z } from 'zod'
import { decimal } from '../schema/fields.ts'

/** Something that the sender still lacks. */
export const issue = z
  .object({
    code: z.enum(['svc/insufficient-allowance', 'svc/insufficient-balance', 'svc/insufficient-gas']),
    message: z.string(),
    required: decimal,
    current: decimal,
  })
  .meta({ id: 'Issue' })

type Issue = z.output<typeof issue>

/** Says what would make a conversion fail if it were sent now: allowance and balance in tokens, gas money in native currency. */
export function findIssues(needs: findIssues.Needs, account: findIssues.Account): Issue[] {
  const { token, amountInRaw, gasWei } = needs
  const figures = (required: bigint, current: bigint, decimals: number) => ({
    required: Amount.format(required, decimals),
    current: Amount.format(current, decimals),
  })
  const issues: Issue[] = []
  if (account.allowance < amountInRaw) {
    const message = `The router is not approved for this much ${token.symbol}: send an approval first`
    issues.push({
      code: 'svc/insufficient-allowance',
      message,
      ...figures(amountInRaw, account.allowance, token.decimals),
    })
  }
  if (account.balance < amountInRaw) {
    const message = `The wallet holds too little ${token.symbol}`
    issues.push({ code: 'svc/insufficient-balance', message, ...figures(amountInRaw, account.balance, token.decimals) })
  }
  if (account.nativeBalance < gasWei) {
    const message = 'The wallet holds too little native currency to pay for gas'
    issues.push({ code: 'svc/insufficient-gas', message, ...figures(gasWei, account.nativeBalance, 18) })
  }
  return issues
}

export declare namespace findIssues {
  type Needs = { readonly token: Token; readonly amountInRaw: bigint; readonly gasWei: bigint }
  type Account = { readonly allowance: bigint; readonly balance: bigint; readonly nativeBalance: bigint }
}

import type { CallPermit, BuiltConvert } from '@agio/chain'
import { Amount, formatSymbol, type Address, type ServiceError, type Token } from '@agio/core'
import { z } from 'zod'
import { decimal } from '../schema/fields.ts'
import { getMaxAmountInRaw, type QuoteTerms } from '../quote/QuoteTerms.ts'
import type { QuoteNow } from '../quote/priceQuoteNow.ts'
import { getMaxFeeWei } from '../schema/transactions.ts'

/** A reason why a conversion would fail if its wallet sent it now. */
export const issue = z
  .object({
    code: z
      .enum([
        'svc/insufficient-allowance',
        'svc/insufficient-balance',
        'svc/insufficient-gas',
        'svc/below-min-target',
        'svc/above-max-input',
        'svc/account-blocked',
        'svc/token-paused',
      ])
      .describe('Error code with which the transaction would fail'),
    message: z.string().meta({
      description: 'Description of the issue',
      example: 'The allowance of the router is too low: approve it for tAUD first',
    }),
    required: decimal.meta({ description: 'Amount that the conversion needs', example: '1000.000000' }),
    current: decimal.meta({
      description:
        'Available amount: in the wallet, at the market, or as the maximum of the quote. 0 while the token refuses the transfer',
      example: '0.000000',
    }),
  })
  .meta({ id: 'Issue', description: 'A reason why the conversion would fail if the wallet sent it now' })

/** A reason why a wallet cannot execute a conversion. */
export type Issue = z.output<typeof issue>

/**
 * Lists what a wallet lacks for a conversion, and whether a token refuses it. Amounts of allowance and balance are in tokens, amounts of gas in native
 * currency.
 */
export function findIssues(needs: Needs, account: Account): Issue[] {
  const { token, amountInRaw, gasWei, spender = 'the router', approvalRaw = amountInRaw } = needs
  const amounts = (required: bigint, current: bigint, decimals: number) => ({
    required: Amount.format(required, decimals),
    current: Amount.format(current, decimals),
  })
  const issues: Issue[] = []
  if (spender !== 'none' && account.allowanceRaw < amountInRaw) {
    const message = `The allowance of ${spender} is too low: approve it for ${formatSymbol(token.symbol)} first`
    issues.push({
      code: 'svc/insufficient-allowance',
      message,
      ...amounts(approvalRaw, account.allowanceRaw, token.decimals),
    })
  }
  if (account.balanceRaw < amountInRaw) {
    const message = `The balance of ${formatSymbol(token.symbol)} is too low`
    issues.push({
      code: 'svc/insufficient-balance',
      message,
      ...amounts(amountInRaw, account.balanceRaw, token.decimals),
    })
  }
  if (account.nativeBalanceWei < gasWei) {
    const message = 'The balance of native currency is too low to pay for gas'
    issues.push({ code: 'svc/insufficient-gas', message, ...amounts(gasWei, account.nativeBalanceWei, 18) })
  }
  if (isIssue(account.refusal)) {
    const { code, message } = account.refusal
    issues.push({ code, message, ...amounts(amountInRaw, 0n, token.decimals) })
  }
  return issues
}

function isIssue(
  refusal: ServiceError | undefined,
): refusal is ServiceError<'svc/account-blocked' | 'svc/token-paused'> {
  return refusal?.code === 'svc/account-blocked' || refusal?.code === 'svc/token-paused'
}

type Spender = 'the router' | 'the pool' | 'Permit2' | 'none'
type Needs = {
  readonly token: Token
  /** The amount that the conversion takes now, in raw units. */
  readonly amountInRaw: bigint
  /** The largest amount that it may take, which is the amount to approve. Default: the amount that it takes now. */
  readonly approvalRaw?: bigint | undefined
  /**
   * The contract whose allowance the conversion uses, or `none` if a permit sets the allowance. Default: the router.
   */
  readonly spender?: Spender | undefined
  readonly gasWei: bigint
}
type Account = BuiltConvert['account']

/** Returns the contract whose allowance a conversion uses, by its permit and its pool. */
export function findSpender({ permit, pool }: Call): Spender {
  if (permit !== undefined) return permit.kind === 'permit2' ? 'Permit2' : 'none'
  return pool === undefined ? 'the router' : 'the pool'
}

type Call = { readonly permit?: CallPermit | undefined; readonly pool?: Address | undefined }

/**
 * Lists why the conversion of a quote would fail if its wallet sent it now. The amount to approve is the most that the
 * quote may take, so that a price change within the limit does not exceed the allowance.
 */
export function findQuoteIssues(
  { terms, tokenIn, tokenOut, permit }: findQuoteIssues.Quote,
  built: BuiltConvert,
  quoteNow: QuoteNow | undefined,
): Issue[] {
  const maxAmountInRaw = getMaxAmountInRaw(terms)
  const amountInRaw = quoteNow?.side === 'in' ? quoteNow.nowRaw : BigInt(terms.amountIn)
  const needs = {
    token: tokenIn,
    amountInRaw: amountInRaw < maxAmountInRaw ? amountInRaw : maxAmountInRaw,
    approvalRaw: maxAmountInRaw,
    spender: findSpender({ permit, pool: terms.pool ?? undefined }),
    gasWei: getMaxFeeWei(built),
  }
  return [...findIssues(needs, built.account), ...findLimitIssue(quoteNow, { tokenIn, tokenOut })]
}

export declare namespace findQuoteIssues {
  type Quote = {
    readonly terms: QuoteTerms
    readonly tokenIn: Token
    readonly tokenOut: Token
    /** The signature that pays the conversion, if any. */
    readonly permit?: CallPermit | undefined
  }
}

function findLimitIssue(
  quoteNow: QuoteNow | undefined,
  { tokenIn, tokenOut }: Pick<findQuoteIssues.Quote, 'tokenIn' | 'tokenOut'>,
): Issue[] {
  if (!quoteNow || quoteNow.isWithinLimit) return []
  const [code, token, subject, bound] =
    quoteNow.side === 'in'
      ? (['svc/above-max-input', tokenIn, 'input', 'more than the maximum'] as const)
      : (['svc/below-min-target', tokenOut, 'output', 'less than the minimum'] as const)
  const [now, limit] = [quoteNow.executedRaw, quoteNow.limitRaw].map((raw) => Amount.format(raw, token.decimals))
  const symbol = formatSymbol(token.symbol)
  const message = `The ${subject} is ${now} ${symbol} now, ${bound} of ${limit} ${symbol}`
  const [required = '', current = ''] = quoteNow.side === 'in' ? [now, limit] : [limit, now]
  return [{ code, message, required, current }]
}

import { Amount, type Token } from '@agio/core'
import type { Obstacle } from './chooseMethod.ts'

/** The sentences of a plan for the user of a wallet, for a token, an amount and a spender. */
export function createPlanReasons({
  token,
  requiredRaw,
  isUnlimited,
  spender,
}: createPlanReasons.Subject): PlanReasons {
  const { symbol } = token
  const toText = (amountRaw: bigint) => `${Amount.format(amountRaw, token.decimals)} ${symbol}`
  const amount = isUnlimited ? `any amount of ${symbol}, now and later` : toText(requiredRaw)
  const limit = isUnlimited ? amount : `at most ${amount}`
  const doubt = '; use the fallback should it be refused because your account has code'
  return {
    reset: (allowanceRaw) =>
      `Sets the allowance of ${toText(allowanceRaw)} to zero first, because the token refuses to replace it by another.`,
    approve: (because) => {
      const approval = `Approves ${spender} for ${isUnlimited ? amount : `exactly ${amount}`}`
      return because === undefined ? `${approval}.` : `${approval}, ${clauses[because](symbol)}.`
    },
    permit: (isDoubtful) =>
      `Your signature takes the place of an approval: it lets the router take ${limit}, and the conversion carries it${isDoubtful ? doubt : ''}.`,
    permit2: (isDoubtful) =>
      `Your signature takes the place of an approval: it pays ${limit} through Permit2, for this one conversion${isDoubtful ? doubt : ''}.`,
  }
}

export declare namespace createPlanReasons {
  type Subject = {
    readonly token: Token
    readonly requiredRaw: bigint
    readonly isUnlimited: boolean
    /** The spender as a noun, for instance "the router". */
    readonly spender: string
  }
}

export type PlanReasons = {
  reset(allowanceRaw: bigint): string
  /** @param because why no signature takes its place; undefined for a fallback */
  approve(because?: Obstacle): string
  /** @param isDoubtful whether the signature may be refused for the code of the account */
  permit(isDoubtful: boolean): string
  permit2(isDoubtful: boolean): string
}

/** Why an approval is a transaction, for the symbol of a token. */
const clauses: Readonly<Record<Obstacle, (symbol: string) => string>> = {
  preferred: () => 'as you prefer a transaction',
  'not-router': () => 'since only the router takes signatures',
  'is-permit2': () => 'so that signatures may pay conversions from then on',
  router: () => 'since the router of this network takes no signatures',
  token: (symbol) => `since ${symbol} takes no signatures`,
  account: () => 'since your account has code that checks no signatures',
  'no-permit2': (symbol) => `since ${symbol} takes no signatures`,
  unlimited: (symbol) => `since ${symbol} takes no signatures itself, and Permit2 none for any amount`,
  'no-quote': (symbol) => `since ${symbol} takes no signatures itself, and Permit2 pays quotes only`,
  'permit2-allowance': (symbol) => `since ${symbol} takes no signatures itself, and Permit2 may not take this amount`,
}

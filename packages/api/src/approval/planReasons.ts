import { Amount, formatSymbol, type Token } from '@agio/core'
import type { Obstacle } from './chooseMethod.ts'

/** Creates the sentences of a plan that the user of a wallet reads, for a token, an amount and a spender. */
export function createPlanReasons({ token, requiredRaw, isUnlimited, spender }: Approval) {
  const symbol = formatSymbol(token.symbol)
  const toText = (amountRaw: bigint) => `${Amount.format(amountRaw, token.decimals)} ${symbol}`
  const amount = isUnlimited ? `any amount of ${symbol}, now and later` : toText(requiredRaw)
  const limit = isUnlimited ? amount : `at most ${amount}`
  const fallbackHint = '; if it is refused because your account has code, use the fallback'
  return {
    reset: (allowanceRaw: bigint) =>
      `Sets the allowance of ${toText(allowanceRaw)} to zero first, because the token cannot replace a nonzero allowance by another.`,
    /** @param because why a signature is not possible; undefined for a fallback */
    approve: (because?: Obstacle) => {
      const approval = `Approves ${spender} for ${isUnlimited ? amount : `exactly ${amount}`}`
      return because === undefined ? `${approval}.` : `${approval}, ${obstacleReasons[because](symbol)}.`
    },
    /** @param mayBeRefused whether the signature may be refused because the account has code */
    permit: (mayBeRefused: boolean) =>
      `Your signature replaces an approval: it lets the router take ${limit}, and the conversion carries it${mayBeRefused ? fallbackHint : ''}.`,
    permit2: (mayBeRefused: boolean) =>
      `Your signature replaces an approval: it pays ${limit} through Permit2, only for this conversion${mayBeRefused ? fallbackHint : ''}.`,
  }
}

type Approval = {
  readonly token: Token
  readonly requiredRaw: bigint
  readonly isUnlimited: boolean
  /** The spender as a noun, for instance "the router". */
  readonly spender: string
}

/** The sentences for the user, one for each kind of step. */
export type PlanReasons = ReturnType<typeof createPlanReasons>

/** Why a transaction is necessary instead of a signature, for the symbol of a token. */
const obstacleReasons: Readonly<Record<Obstacle, (symbol: string) => string>> = {
  preferred: () => 'because you prefer a transaction',
  'not-router': () => 'because only the router accepts signatures',
  'is-permit2': () => 'so that later conversions can be paid by signature',
  router: () => 'because the router of this network does not accept signatures',
  token: (symbol) => `because ${symbol} does not support signatures`,
  account: () => 'because the code of your account does not verify signatures',
  'no-permit2': (symbol) => `because ${symbol} does not support signatures`,
  unlimited: (symbol) =>
    `because ${symbol} does not support signatures, and Permit2 does not support unlimited amounts`,
  'no-quote': (symbol) => `because ${symbol} does not support signatures, and Permit2 pays only quotes`,
  'permit2-allowance': (symbol) =>
    `because ${symbol} does not support signatures, and the allowance of Permit2 is too low`,
}

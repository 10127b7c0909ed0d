/** Returns the reason why the conversion cannot be started, or undefined if it can. */
export function findObstacle(form: findObstacle.Form): string | undefined {
  if (!form.hasTokens) return 'Loading tokens…'
  if (form.isConverting) return 'A conversion is running.'
  if (form.followed !== undefined) {
    return `An earlier conversion of ${form.followed} is in progress. Wait for it or stop it.`
  }
  if (form.amount === 'empty') return 'Enter an amount.'
  if (form.amount === 'invalid') return 'Correct the amount.'
  if (form.hasFailed) return 'No quote is available.'
  if (!form.isCurrent) return 'Getting a quote…'
  if (form.isExpired) return 'Quote expired'
  return form.issues.find((obstacle) => obstacle !== undefined)
}

export declare namespace findObstacle {
  type Form = {
    readonly hasTokens: boolean
    /** Whether a conversion runs in this tab. */
    readonly isConverting: boolean
    /**
     * The token to pay, if the page follows an earlier conversion of it. Conversions of a token run one after the
     * other.
     */
    readonly followed: string | undefined
    readonly amount: 'empty' | 'invalid' | 'amount'
    /** Whether the last request of a quote failed. */
    readonly hasFailed: boolean
    /** Whether the quote matches the entered values. */
    readonly isCurrent: boolean
    readonly isExpired: boolean
    /** The obstacle of each issue of the wallet, if any. */
    readonly issues: readonly (string | undefined)[]
  }
}

/** Says why the conversion cannot be started now; undefined if it can. */
export function findObstacle(form: findObstacle.Form): string | undefined {
  if (!form.hasTokens) return 'Waiting for the tokens.'
  if (form.isConverting) return 'A conversion is running.'
  if (form.followed !== undefined) {
    return `An earlier conversion of ${form.followed} is still looked for: wait for it, or stop it.`
  }
  if (form.amount === 'empty') return 'Enter an amount.'
  if (form.amount === 'invalid') return 'Correct the amount.'
  if (form.hasFailed) return 'There is no quote now.'
  if (!form.isCurrent) return 'The quote is on its way.'
  if (form.isExpired) return 'Quote expired'
  return form.issues.find((obstacle) => obstacle !== undefined)
}

export declare namespace findObstacle {
  type Form = {
    readonly hasTokens: boolean
    /** Whether a conversion runs in this tab. */
    readonly isConverting: boolean
    /** The token of a conversion that is looked for; undefined if there is none of this token. They take turns. */
    readonly followed: string | undefined
    readonly amount: 'empty' | 'invalid' | 'amount'
    /** Whether the last request of a quote failed. */
    readonly hasFailed: boolean
    /** Whether the quote is of what is entered. */
    readonly isCurrent: boolean
    readonly isExpired: boolean
    /** What keeps the wallet from converting, of each of its issues. */
    readonly issues: readonly (string | undefined)[]
  }
}

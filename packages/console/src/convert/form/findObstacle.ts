/** Returns the reason why the conversion cannot be started, or undefined if it can. */
export function findObstacle(form: findObstacle.Form): string | undefined {
  // The notice of the page says why.
  if (form.hasFault) return 'Waiting for the connection…'
  if (form.key === 'missing') return 'Enter an API key.'
  if (form.key === 'read-only') return 'This API key may only read. Use another key to convert.'
  if (!form.hasTokens) return 'Loading tokens…'
  if (form.isConverting) return 'A conversion is running.'
  if (form.followed !== undefined) {
    return `A ${form.followed} conversion is still pending. Wait for it or stop it.`
  }
  if (form.amount === 'empty') return 'Enter an amount.'
  if (form.amount === 'invalid') return 'Correct the amount.'
  if (form.hasFailed) return 'No quote available'
  if (!form.isCurrent) return 'Getting a quote…'
  if (form.isExpired) return 'Quote expired'
  return form.issues.find((obstacle) => obstacle !== undefined)
}

export declare namespace findObstacle {
  type Form = {
    readonly hasTokens: boolean
    /** Whether the API key of the page may convert. A key counts as `usable` until the service has answered. */
    readonly key: 'missing' | 'read-only' | 'usable'
    /** Whether the service or the network cannot be used now. */
    readonly hasFault: boolean
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

import type { IssueWords } from '../issues/explainIssue.ts'

/** Returns the reason why the conversion cannot be started, or undefined if it can. */
export function findObstacle(form: findObstacle.Form): Obstacle | undefined {
  const text = findOther(form)
  if (text !== undefined) return { text, isShort: false }
  if (form.emptyToken !== undefined) return { text: `This wallet holds no ${form.emptyToken}.`, isShort: true }
  const reason = findNoQuote(form)
  if (reason !== undefined) return { text: reason, isShort: false }
  const issue = form.issues.find(({ obstacle }) => obstacle !== undefined)
  return issue?.obstacle === undefined ? undefined : { text: issue.obstacle, isShort: issue.remedy === 'fund' }
}

/** Why a conversion cannot be started. */
export type Obstacle = {
  readonly text: string
  /** Whether the wallet holds none or too little of the token to pay, and nothing else is in the way before that. */
  readonly isShort: boolean
}

function findOther(form: findObstacle.Form): string | undefined {
  // The notice of the page says why.
  if (form.hasFault) return 'Waiting for the connection…'
  if (form.key === 'missing') return 'Enter an API key.'
  if (form.key === 'read-only') return 'This API key may only read. Use another key to convert.'
  if (!form.hasTokens) return 'Loading tokens…'
  if (form.isConverting) return 'A conversion is running.'
  if (form.followed !== undefined) {
    return `A ${form.followed} conversion is still pending. Wait for it or stop it.`
  }
  return undefined
}

function findNoQuote(form: findObstacle.Form): string | undefined {
  if (form.amount === 'empty') return 'Enter an amount.'
  if (form.amount === 'invalid') return 'Correct the amount.'
  if (form.hasFailed) return 'No quote available'
  if (!form.isCurrent) return 'Getting a quote…'
  return form.isExpired ? 'Quote expired' : undefined
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
    /** The token to pay, if the wallet is known to hold none of it. */
    readonly emptyToken: string | undefined
    readonly amount: 'empty' | 'invalid' | 'amount'
    /** Whether the last request of a quote failed. */
    readonly hasFailed: boolean
    /** Whether the quote matches the entered values. */
    readonly isCurrent: boolean
    readonly isExpired: boolean
    /** The issues of the wallet. */
    readonly issues: readonly Pick<IssueWords, 'obstacle' | 'remedy'>[]
  }
}

/** Validity of the page's quotes in seconds. */
export const validForSeconds = 60

/** Remaining validity in milliseconds at which a quote is renewed. */
const renewBeforeMs = 10_000

/** Milliseconds without user input after which quotes are no longer renewed. */
export const idleAfterMs = 120_000

/**
 * Milliseconds that a user needs to confirm in the wallet. A quote that expires sooner is renewed before the wallet is
 * asked.
 */
export const confirmMs = 45_000

/**
 * Returns what to do with a quote. `valid`: nothing. `renew`: renew it shortly before it expires, while the user is
 * active and does not convert. `expired`: show that it has expired. Only the user renews an expired quote. The quote of a user
 * who is away is shown as expired, because no stream keeps it up to date.
 */
export function judgeValidity({ now, validUntil, isActive, isConverting }: judgeValidity.Situation): Validity {
  const leftMs = validUntil - now
  if (leftMs <= 0 || !(isActive || isConverting)) return 'expired'
  return leftMs <= renewBeforeMs && !isConverting ? 'renew' : 'valid'
}

/** The result of `judgeValidity`. */
export type Validity = 'valid' | 'renew' | 'expired'

export declare namespace judgeValidity {
  type Situation = {
    /** In milliseconds. */
    readonly now: number
    /** In milliseconds. */
    readonly validUntil: number
    /** Whether the user was active in the last minutes. */
    readonly isActive: boolean
    /** Whether a conversion is running. */
    readonly isConverting: boolean
  }
}

/** Seconds that a quote of the page holds. */
export const validForSeconds = 60

/** Milliseconds of its validity at which a quote is renewed. */
const renewBeforeMs = 10_000

/** Milliseconds without input of the user after which quotes are renewed no more. */
export const idleAfterMs = 120_000

/** Milliseconds that a user needs to confirm in the wallet. A quote that ends sooner is renewed before the wallet is asked. */
export const confirmMs = 45_000

/**
 * What is to be done with a quote: nothing while it is `valid`, `renew` it shortly before its end while the user is here and
 * converts nothing, or show that it is `expired`. An expired quote is renewed by the user alone.
 */
export function judgeValidity({ now, validUntil, isActive, isConverting }: judgeValidity.Situation): Validity {
  const leftMs = validUntil - now
  if (leftMs <= 0) return 'expired'
  return leftMs <= renewBeforeMs && isActive && !isConverting ? 'renew' : 'valid'
}

export type Validity = 'valid' | 'renew' | 'expired'

export declare namespace judgeValidity {
  type Situation = {
    /** In milliseconds. */
    readonly now: number
    /** In milliseconds. */
    readonly validUntil: number
    /** Whether there was input of the user in the last minutes. */
    readonly isActive: boolean
    /** Whether a conversion runs. */
    readonly isConverting: boolean
  }
}

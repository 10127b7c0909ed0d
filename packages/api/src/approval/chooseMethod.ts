import type { ApprovalState, PermitDomain, RouterFeatures } from '@agio/chain'

/**
 * Chooses the cheapest way for an owner to let a spender take an amount. It is nothing if the allowance is sufficient,
 * a signature if the router and the token accept it, and otherwise an approval.
 */
export function chooseMethod(conditions: chooseMethod.Conditions): Method {
  const { state, requiredRaw, prefer, spender, features } = conditions
  if (state.allowanceRaw >= requiredRaw) return { kind: 'none' }
  if (prefer === 'approve') return { kind: 'approve', because: 'preferred' }
  if (spender !== 'router') return { kind: 'approve', because: spender === 'permit2' ? 'is-permit2' : 'not-router' }
  if (!features.permit) return { kind: 'approve', because: 'router' }
  const because = findPermitObstacle(conditions)
  if (because === undefined) return { kind: 'permit', mayBeRefused: state.code !== 'none' }
  const obstacle = findPermit2Obstacle(conditions)
  if (obstacle === undefined) return { kind: 'permit2', mayBeRefused: state.code !== 'none' }
  return { kind: 'approve', because: obstacle }
}

export declare namespace chooseMethod {
  type Conditions = {
    readonly state: Pick<ApprovalState, 'allowanceRaw' | 'permit2AllowanceRaw' | 'nonce' | 'code' | 'answersErc1271'>
    readonly features: Pick<RouterFeatures, 'permit' | 'permit2'>
    /** The domain of the token's permits; undefined if the token has no permits. */
    readonly domain: PermitDomain | undefined
    /** The amount that the spender must be allowed to take, in raw units. */
    readonly requiredRaw: bigint
    /** The contract that spends. Only the router accepts a signature. */
    readonly spender: 'router' | 'pool' | 'permit2' | 'other'
    readonly isUnlimited: boolean
    readonly hasQuote: boolean
    readonly prefer: 'permit' | 'approve' | undefined
  }
}

/** A method, with the reason for an approval, and whether a signature may be refused. */
export type Method =
  | { readonly kind: 'none' }
  /** `mayBeRefused`: the owner has code, so the contract may refuse the signature. */
  | { readonly kind: 'permit' | 'permit2'; readonly mayBeRefused: boolean }
  | { readonly kind: 'approve'; readonly because: Obstacle }

/** The reason why an approval is necessary instead of a signature. */
export type Obstacle =
  | 'preferred'
  | 'not-router'
  | 'is-permit2'
  | 'router'
  | 'token'
  | 'account'
  | 'no-permit2'
  | 'unlimited'
  | 'no-quote'
  | 'permit2-allowance'

function findPermitObstacle({ state, domain }: chooseMethod.Conditions): Obstacle | undefined {
  if (domain === undefined || state.nonce === undefined) return 'token'
  // The key of a delegated account can sign, and tokens without ERC-1271 accept its signature.
  return state.code === 'contract' && !state.answersErc1271 ? 'account' : undefined
}

function findPermit2Obstacle({ state, features, ...conditions }: chooseMethod.Conditions): Obstacle | undefined {
  if (state.code !== 'none' && !state.answersErc1271) return 'account'
  if (!features.permit2) return 'no-permit2'
  if (conditions.isUnlimited) return 'unlimited'
  if (!conditions.hasQuote) return 'no-quote'
  return state.permit2AllowanceRaw < conditions.requiredRaw ? 'permit2-allowance' : undefined
}

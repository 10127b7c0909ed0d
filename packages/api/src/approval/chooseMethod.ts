import type { ApprovalState, PermitDomain, RouterFeatures } from '@agio/chain'

/**
 * Chooses how an owner lets a spender take an amount, at the least cost: nothing where the allowance is enough, a signature
 * where the router and the token take it, else an approval.
 */
export function chooseMethod(subject: chooseMethod.Subject): Method {
  const { state, requiredRaw, prefer, spender, features } = subject
  if (state.allowanceRaw >= requiredRaw) return { kind: 'none' }
  if (prefer === 'approve') return { kind: 'approve', because: 'preferred' }
  if (spender !== 'router') return { kind: 'approve', because: spender === 'permit2' ? 'is-permit2' : 'not-router' }
  if (!features.permit) return { kind: 'approve', because: 'router' }
  const because = findPermitObstacle(subject)
  if (because === undefined) return { kind: 'permit', isDoubtful: state.code !== 'none' }
  const obstacle = findPermit2Obstacle(subject)
  if (obstacle === undefined) return { kind: 'permit2', isDoubtful: state.code !== 'none' }
  return { kind: 'approve', because: obstacle }
}

export declare namespace chooseMethod {
  type Subject = {
    readonly state: Pick<ApprovalState, 'allowanceRaw' | 'permit2AllowanceRaw' | 'nonce' | 'code' | 'answersErc1271'>
    readonly features: Pick<RouterFeatures, 'permit' | 'permit2'>
    /** The domain of the token's permits; undefined if it has none. */
    readonly domain: PermitDomain | undefined
    /** What the spender must be able to take, in raw units. */
    readonly requiredRaw: bigint
    /** Which contract spends: only the router takes a signature. */
    readonly spender: 'router' | 'pool' | 'permit2' | 'other'
    readonly isUnlimited: boolean
    readonly hasQuote: boolean
    readonly prefer: 'permit' | 'approve' | undefined
  }
}

/** A method, and why it is an approval or may be refused. */
export type Method =
  | { readonly kind: 'none' }
  /** `isDoubtful`: the owner has code, which may make the contract refuse the signature. */
  | { readonly kind: 'permit' | 'permit2'; readonly isDoubtful: boolean }
  | { readonly kind: 'approve'; readonly because: Obstacle }

/** Why there is no signature in the place of an approval. */
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

function findPermitObstacle({ state, domain }: chooseMethod.Subject): Obstacle | undefined {
  if (domain === undefined || state.nonce === undefined) return 'token'
  // The key of a delegated account signs still, and tokens that know no ERC-1271 accept it.
  return state.code === 'contract' && !state.answersErc1271 ? 'account' : undefined
}

function findPermit2Obstacle({ state, features, ...subject }: chooseMethod.Subject): Obstacle | undefined {
  if (state.code !== 'none' && !state.answersErc1271) return 'account'
  if (!features.permit2) return 'no-permit2'
  if (subject.isUnlimited) return 'unlimited'
  if (!subject.hasQuote) return 'no-quote'
  return state.permit2AllowanceRaw < subject.requiredRaw ? 'permit2-allowance' : undefined
}

import type { Chain, Snapshot } from '@agio/chain'
import { Errors, Route, type Address, type ServiceError } from '@agio/core'
import { resolveRoute } from '../pools/snapshot.ts'

/**
 * Chooses the contract that executes a conversion over a route: the router if it would use this route, or the pool
 * itself.
 *
 * @throws `svc/recipient-unsupported` if that contract cannot pay the recipient
 */
export async function chooseCallee(
  chain: Chain,
  snapshot: Snapshot,
  { route, recipient }: Conversion,
): Promise<Callee> {
  const { router } = chain.deployment
  const [tokenIn, tokenOut] = [Route.getOrigin(route).token.address, Route.getTarget(route).token.address]
  const [first] = resolveRoute(chain, snapshot, { tokenIn, tokenOut })
  const pool = first.pool.address === route[0].pool.address ? undefined : route[0].pool.address
  if (recipient !== undefined && (pool !== undefined || !(await chain.conversions.getRouterFeatures()).recipient)) {
    throw recipientUnsupported(recipient, pool)
  }
  return {
    to: pool ?? router,
    pool,
    canTargetSwap: async () => pool !== undefined || (await chain.conversions.getRouterFeatures()).targetSwap,
  }
}

type Conversion = {
  readonly route: Route.Route
  /** Account that receives the output, if it is not the sender. */
  readonly recipient: Address | undefined
}

/** The contract that a conversion calls. It is also the spender of the allowance. */
export type Callee = {
  readonly to: Address
  /** The contract, if it is a pool. */
  readonly pool: Address | undefined
  /** Returns whether the contract can swap for an exact output. Needs a request to a node only the first time. */
  canTargetSwap(): Promise<boolean>
}

function recipientUnsupported(recipient: Address, pool: Address | undefined): ServiceError {
  const callee = pool === undefined ? 'the router of this network' : `pool ${pool}, called without the router,`
  return Errors.recipientUnsupported({ recipient, callee })
}

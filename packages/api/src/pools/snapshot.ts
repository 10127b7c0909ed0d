import type { Chain, Snapshot } from '@agio/chain'
import { Hop, Network, Route, type Address, Errors, Pool, type Token } from '@agio/core'

/**
 * Returns the route of a conversion: the given pool, or the route of the router.
 *
 * @throws `svc/unsupported-token`, `svc/pool-not-found`, `svc/no-route`; `svc/invalid-request` if both tokens are the
 * same
 */
export function resolveRoute(
  { deployment: { referenceToken } }: Pick<Chain, 'deployment'>,
  snapshot: Snapshot,
  { poolAddress, tokenIn, tokenOut }: Options,
): Route.Route {
  if (poolAddress !== undefined) return [Hop.from(getPool(snapshot, poolAddress), tokenIn, tokenOut)]
  getToken(snapshot, tokenIn, 'tokenIn')
  getToken(snapshot, tokenOut, 'tokenOut')
  return Route.get(snapshot.pools, { tokenIn, tokenOut, referenceToken })
}

type Options = {
  readonly poolAddress?: Address | undefined
  readonly tokenIn: Address
  readonly tokenOut: Address
}

/** Returns a pool of the deployment. @throws `svc/pool-not-found`; `svc/upstream-error` if the pool cannot be read */
export function getPool({ pools, unreadablePools }: Snapshot, address: Address): Pool.Pool {
  const pool = Pool.find(pools, address)
  if (pool) return pool
  if (unreadablePools.includes(address)) {
    throw Errors.upstreamError({ action: `read pool ${address}`, reason: 'its contract does not respond as a pool' })
  }
  throw Errors.poolNotFound({ address })
}

/**
 * Returns a token of the deployment.
 *
 * @throws `svc/unsupported-token` with the field; `svc/upstream-error` if the nodes disagree about the token
 */
export function getToken({ tokens, disputedTokens }: Snapshot, address: Address, field: string): Token {
  const token = tokens.get(address)
  if (token) return token
  if (disputedTokens.has(address)) {
    throw Errors.upstreamError({ action: `read token ${address}`, reason: 'the nodes of the chain disagree' })
  }
  throw Errors.unsupportedToken({ field, value: address })
}

/**
 * Returns the pools at the newest block, for amounts that a transaction will use.
 *
 * @throws `svc/upstream-unavailable` if the block is old, since the node lags and its prices are outdated
 */
export function getFreshSnapshot(chain: Chain, nowMs: number): Snapshot | Promise<Snapshot> {
  const snapshot = chain.pools.getSnapshot()
  // The snapshot of the newest block is nearly always in memory.
  if (snapshot instanceof Promise) return snapshot.then((read) => assertFresh(read, chain, nowMs))
  return assertFresh(snapshot, chain, nowMs)
}

function assertFresh(snapshot: Snapshot, chain: Chain, nowMs: number): Snapshot {
  if (chain.heads.judgeAge(snapshot.block, nowMs) !== 'old') return snapshot
  const lagSeconds = Math.floor(nowMs / 1000) - Number(snapshot.block.timestampSeconds)
  const reason = `the newest block of chain ${chain.chainId} is ${lagSeconds} s old`
  throw Errors.upstreamUnavailable({ action: 'use the pools', reason })
}

/**
 * Asserts that an account of a request is not a contract of the deployment, Permit2 or Multicall3. Such a contract cannot
 * sign. It cannot spend the tokens that it receives, or anyone may take them.
 *
 * @throws `svc/invalid-address` with the field
 */
export function assertOutsider(chain: Chain, account: Address, field: string): void {
  const { router, faucet, pools } = chain.deployment
  const { permit2, multicall3 } = Network.commonContracts
  const contracts = [router, faucet, permit2, multicall3, ...pools, ...chain.pools.getTokens().keys()]
  if (!contracts.includes(account)) return
  const reason = `${account} is a contract of this network, not a wallet`
  throw Errors.invalidAddress({ field, value: account, reason })
}

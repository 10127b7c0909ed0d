import { Errors, Route, type Address, type Pool, type ServiceError } from '@agio/core'
import { encodeFunctionData, parseAbi } from 'viem'
import type { Call, Reader } from '../reader/createReader.ts'
import { findNumber, type Result } from '../reader/decodeResult.ts'

// Issuers of stablecoins block accounts and pause their tokens. A revert names neither the account nor the token.
const abi = parseAbi([
  'function paused() view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
])

/** The data of the call that asks a token whether it is paused. */
export const pausedCall = encodeFunctionData({ abi, functionName: 'paused' })

/** The accounts between which a conversion moves its tokens. */
type Parties = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly sender: Address
  readonly recipient: Address
  /** The router and the pools, each with a token that it receives or pays. */
  readonly contracts: readonly (readonly [token: Address, contract: Address])[]
}

/** Returns the accounts that the tokens of a conversion may refuse. A pool receives and pays both its tokens. */
export function toParties(contracts: toParties.Contracts, conversion: toParties.Conversion): Parties {
  const { tokenIn, tokenOut, sender, recipient = sender, pool } = conversion
  const parties = { tokenIn, tokenOut, sender, recipient }
  if (pool !== undefined) return { ...parties, contracts: [tokenIn, tokenOut].map((token) => [token, pool] as const) }
  const { router, referenceToken, pools } = contracts
  const route = Route.find(pools, { tokenIn, tokenOut, referenceToken }) ?? []
  const pairs = route.flatMap(({ pool: { address }, origin, target }) =>
    [origin, target].flatMap(({ token }) => [address, router].map((contract) => [token.address, contract] as const)),
  )
  return { ...parties, contracts: pairs }
}

export declare namespace toParties {
  type Contracts = {
    readonly pools: readonly Pool.Pool[]
    readonly router: Address
    readonly referenceToken: Address
  }
  type Conversion = Pick<Parties, 'tokenIn' | 'tokenOut' | 'sender'> & {
    /** The account that is paid; the sender by default. */
    readonly recipient?: Address | undefined
    /** The pool that the conversion calls instead of the router. */
    readonly pool?: Address | undefined
  }
}

/** A question to a token, and the error if it answers yes. */
export type TokenQuestion = { readonly call: Call; readonly error: () => ServiceError }

/**
 * Lists what to ask the tokens of a conversion: whether they are paused, and whether they have blocked one of its parties.
 * The first question that is answered with yes names the error: `svc/token-paused`, `svc/pool-frozen` or
 * `svc/account-blocked`.
 */
export function listTokenQuestions(parties: Parties): readonly TokenQuestion[] {
  const { tokenIn, tokenOut, sender, recipient, contracts } = parties
  const asksBlocked = (target: Address, account: Address) => {
    return { target, data: encodeFunctionData({ abi, functionName: 'isBlacklisted', args: [account] }) }
  }
  const blocks = (token: Address, account: Address, field: string): TokenQuestion => ({
    call: asksBlocked(token, account),
    error: () => Errors.accountBlocked({ token, account, field }),
  })
  return [
    ...[tokenIn, tokenOut].map((token) => {
      return { call: { target: token, data: pausedCall }, error: () => Errors.tokenPaused({ token }) }
    }),
    ...contracts.map(([token, contract]) => {
      const reason = `token ${token} has blocked ${contract}`
      return { call: asksBlocked(token, contract), error: () => Errors.poolFrozen({ reason }) }
    }),
    blocks(tokenIn, sender, 'userAddress'),
    blocks(tokenOut, recipient, recipient === sender ? 'userAddress' : 'recipient'),
  ]
}

/** Returns the error of the first question that is answered with yes. A token that cannot be asked answers none. */
export function findTokenRefusal(
  questions: readonly TokenQuestion[],
  results: readonly Result[],
): ServiceError | undefined {
  return questions.find((_, index) => findNumber(results[index]) === 1n)?.error()
}

/** Asks the tokens of a conversion why they refuse it; undefined if they do not say. @throws `svc/upstream-*` */
export async function readTokenRefusal(reader: Reader, parties: Parties): Promise<ServiceError | undefined> {
  const questions = listTokenQuestions(parties)
  const { results } = await reader.aggregate(questions.map(({ call }) => call))
  return findTokenRefusal(questions, results)
}

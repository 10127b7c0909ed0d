import { isObject, Network, type ServiceError } from '@agio/core'
import { parseTransaction, type Hex } from 'viem'
import type { Context } from '../../procedure/Context.ts'
import { findNearestInput } from '../../requestLog/findNearestInput.ts'

/** Returns the fields with which a refused call would work: an amount or the right chain. Returns undefined if neither is known. */
export function findCorrectedInput(
  error: ServiceError,
  input: unknown,
  chains: Context['chains'],
): Readonly<Record<string, string | number>> | undefined {
  if (!isObject(input)) return undefined
  const { chainId: refused = Network.defaultChainId } = input
  const others = listChainIds(error, input, chains).filter((id) => id !== refused && Object.hasOwn(chains, Number(id)))
  // Tokens may have the same addresses on several chains.
  return others.length === 1 ? { chainId: Number(others[0]) } : findNearestInput(error, input)
}

type Input = Readonly<Record<string, unknown>>

/** Lists the chains on which a call would work, if its chain is why it was refused. */
function listChainIds(error: ServiceError, input: Input, chains: Context['chains']) {
  const { chainId, signedTransaction, tokenIn, tokenOut } = input
  switch (error.code) {
    case 'svc/wrong-chain':
      return [parseTransaction(signedTransaction as Hex).chainId]
    case 'svc/quote-mismatch': {
      const { field, expected } = error.details as Readonly<Record<string, unknown>>
      return field === 'chainId' && chainId !== undefined && signedTransaction === undefined ? [Number(expected)] : []
    }
    case 'svc/unsupported-chain':
    case 'svc/unsupported-token': {
      const tokens = [tokenIn, tokenOut].map((token) => String(token).toLowerCase())
      return Object.values(chains).flatMap((chain) => {
        const known = new Set(Array.from(chain.pools.getTokens().keys(), (address) => address.toLowerCase()))
        return tokens.every((token) => known.has(token)) ? [chain.chainId] : []
      })
    }
    default:
      return []
  }
}

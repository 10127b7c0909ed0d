import { ServiceError, type Address, type OraclePrice, type PoolState, type Pricing, type Token } from '@agio/core'
import { zeroAddress, type Hex } from 'viem'
import type { Head } from '../head/Head.ts'
import type { RawPoolState, Reader } from '../reader/createReader.ts'
import { readTokens } from '../token/readTokens.ts'
import { probePools } from './probePools.ts'

/** Reads pools at a block. A token's metadata is read once, and a pool is probed once for each code and curve that it has. */
export function createPoolReader({ addresses, reader }: createPoolReader.Settings): PoolReader {
  const tokens = new Map<Address, Token>()
  const pricings = new Map<string, Pricing>()

  // Our maths has no penalty: a pool that charges one needs no probe.
  const findPricing = (state: RawPoolState) => (hasPenalty(state) ? 'on-chain' : pricings.get(keyOf(state)))

  async function readStates(hash: Hex) {
    const { timestampSeconds, states } = await reader.poolStates(addresses, hash)
    await addTokens(states, hash)
    const pools = states.map((state) => toPoolState(state, tokens, findPricing(state) ?? 'on-chain'))
    return { timestampSeconds, states, pools }
  }
  async function addTokens(states: readonly RawPoolState[], hash: Hex): Promise<void> {
    const unknown = new Set(
      states.flatMap(({ base, quote }) => [base, quote]).filter((address) => !tokens.has(address)),
    )
    if (unknown.has(zeroAddress)) throw noPools()
    if (unknown.size === 0) return
    for (const token of await readTokens(reader, [...unknown], hash)) tokens.set(token.address, token)
  }
  return {
    tokens,
    async read(hash) {
      const { timestampSeconds, pools } = await readStates(hash)
      return { timestampSeconds, pools }
    },
    async readAndProbe(block) {
      const { states, pools } = await readStates(block.hash)
      const unknown = new Set(states.filter((state) => !findPricing(state)).map(({ pool }) => pool))
      const unprobed = pools.filter(({ address }) => unknown.has(address))
      if (unprobed.length === 0) return pools
      const probed = await probePools(reader, unprobed, block)
      for (const state of states) {
        const pricing = probed.get(state.pool)
        if (pricing) pricings.set(keyOf(state), pricing)
      }
      return pools.map((pool) => ({ ...pool, pricing: probed.get(pool.address) ?? pool.pricing }))
    },
  }
}

export declare namespace createPoolReader {
  type Settings = {
    /** The pools to read. */
    readonly addresses: readonly Address[]
    readonly reader: Reader
  }
}

export type PoolReader = {
  /** The tokens seen so far, by address. */
  readonly tokens: ReadonlyMap<Address, Token>
  /** The pools at a block, and that block's time; a pool that was not probed yet is priced on chain. */
  read(hash: Hex): Promise<{ readonly timestampSeconds: bigint; readonly pools: readonly PoolState[] }>
  /** The pools at a block, each of which is probed if it was not yet. */
  readAndProbe(block: Head): Promise<readonly PoolState[]>
}

function hasPenalty({ beta, delta, lambda }: RawPoolState): boolean {
  return beta + delta + lambda > 0n
}

// A pool's code and parameters determine whether our maths fits it.
function keyOf(raw: RawPoolState): string {
  return [raw.pool, raw.codeHash, raw.alpha, raw.beta, raw.delta, raw.epsilon, raw.lambda].join()
}

function toPoolState(raw: RawPoolState, tokens: ReadonlyMap<Address, Token>, pricing: Pricing): PoolState {
  const [base, quote] = [tokens.get(raw.base), tokens.get(raw.quote)]
  if (!base || !quote) throw noPools()
  return {
    address: raw.pool,
    base: { token: base, reserve: raw.baseReserve, price: toPrice(raw.basePrice) },
    quote: { token: quote, reserve: raw.quoteReserve, price: toPrice(raw.quotePrice) },
    totalSupply: raw.totalSupply,
    alpha: raw.alpha,
    epsilon: raw.epsilon,
    frozen: raw.frozen,
    pricing,
  }
}

function toPrice(raw: RawPoolState['basePrice']): OraclePrice {
  return {
    oracle: raw.oracle === zeroAddress ? null : raw.oracle,
    answer: raw.answer,
    updatedAtSeconds: raw.updatedAt,
    maxAgeSeconds: raw.maxAge,
  }
}

function noPools(): ServiceError {
  return new ServiceError(
    'svc/upstream-error',
    'Cannot read the pools: the chain has none at the addresses of the deployment',
    {},
  )
}

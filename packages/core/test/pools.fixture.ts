import type * as Pool from '../src/pool/Pool.ts'
import type { Address } from '../src/token/Token.ts'

const addresses: Record<string, Address> = {
  USD: '0x1000000000000000000000000000000000000001',
  AUD: '0x1000000000000000000000000000000000000002',
  EUR: '0x1000000000000000000000000000000000000003',
}

/** The block time of the fixtures, in seconds; prices were updated a minute before. */
export const nowSeconds = 1_800_000_000n

/** Returns a test side with 1,000,000 whole tokens, or as many as `whole` says. */
export function sideOf(symbol: keyof typeof addresses, answer: bigint, overrides: Partial<Overrides> = {}): Pool.Side {
  const { decimals = 6, whole = 1_000_000n } = overrides
  return {
    token: { address: addresses[symbol] as Address, symbol, name: symbol, decimals },
    reserve: whole * 10n ** BigInt(decimals),
    price: {
      oracle: symbol === 'USD' ? null : '0x2000000000000000000000000000000000000001',
      answer,
      updatedAtSeconds: nowSeconds - 60n,
      maxAgeSeconds: 3600n,
    },
  }
}

/** Returns a test pool with the parameters that the local chains deploy. */
export function poolOf(base: Pool.Side, quote: Pool.Side, overrides: Partial<Pool.Pool> = {}): Pool.Pool {
  return {
    address: '0x3000000000000000000000000000000000000001',
    base,
    quote,
    totalSupply: 10n ** 24n,
    alpha: 5n * 10n ** 17n,
    epsilon: 5n * 10n ** 14n,
    frozen: false,
    pricing: 'local',
    ...overrides,
  }
}

export const usd = sideOf('USD', 100_000_000n)
export const aud = sideOf('AUD', 65_120_000n)
export const eur = sideOf('EUR', 108_450_000n)

type Overrides = { decimals: number; whole: bigint }

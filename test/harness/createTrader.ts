import type { LocalChain } from '@agio/localnet'
import { parseUnits } from 'viem'
import { createPayer } from './createPayer.ts'
import type { createWallet } from './createWallet.ts'

/** A new wallet that holds some of a token and has approved the router for it, set up on chain without the service. */
export async function createTrader(chain: LocalChain, { symbol, amount, approved = amount }: Holding): Promise<Trader> {
  const [amountRaw, approvedRaw] = [amount, approved].map((value) => parseUnits(value, 6)) as [bigint, bigint]
  const [token, spender] = [chain.tokens[symbol], chain.deployment.router]
  return await createPayer(chain, { token, amountRaw, spender, approvedRaw })
}

export type Holding = {
  readonly symbol: 'tUSD' | 'tAUD' | 'tEUR'
  /** In whole tokens. */
  readonly amount: string
  /** The amount that it holds by default. */
  readonly approved?: string
}

export type Trader = Awaited<ReturnType<typeof createWallet>>

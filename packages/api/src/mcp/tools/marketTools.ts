import { toSafeSymbol } from '@agio/core'
import { z } from 'zod'
import type { Tool } from './Tool.ts'
import { amount, chainId, formatAmount, symbol, token, tokenReference, type TokenReference } from './schemas.ts'

type Listed = {
  readonly chains: readonly { readonly chainId: number; readonly name: string; readonly tokens: readonly object[] }[]
}

const listNetworks: Tool = {
  name: 'list_networks',
  description: 'Lists the networks with their tokens. Start here: other tools take the addresses of tokens.',
  input: z.strictObject({}),
  output: z.object({
    chains: z.array(
      z.object({
        chainId: z.int(),
        name: z.string(),
        router: z.string(),
        tokens: z.array(tokenReference),
        blockNumber: z.int().nullable(),
      }),
    ),
  }),
  async run({ callProcedure }) {
    const data = await callProcedure<Listed>('chains.list', {})
    return {
      data,
      text: data.chains.map(({ chainId: id, name, tokens }) => `${name} (${id}): ${tokens.length} tokens`).join('. '),
    }
  },
}

type Prices = {
  readonly chainName: string
  readonly tokens: readonly { readonly symbol: string; readonly stale: boolean }[]
  readonly blockNumber: number
}

type Hours = {
  readonly pairs: readonly { readonly name: string; readonly isOpen: boolean; readonly nextOpen: string | null }[]
}

const getMarket: Tool = {
  name: 'get_market',
  description:
    'Returns the prices at which pools convert, and the hours of their markets. A price that is `stale` is refused until it is updated; `nextOpen` says when a closed market opens.',
  input: z.strictObject({ chainId }),
  output: z.object({
    prices: z.array(
      z.object({ address: z.string(), symbol, usd: z.string(), stale: z.boolean(), reason: z.string().optional() }),
    ),
    pools: z.array(
      z.object({ name: symbol, poolAddress: z.string(), isOpen: z.boolean(), nextOpen: z.string().nullable() }),
    ),
    blockNumber: z.int(),
  }),
  async run({ input, callProcedure }) {
    const [{ chainName, tokens: prices, blockNumber }, { pairs }] = await Promise.all([
      callProcedure<Prices>('oracle.prices', input),
      callProcedure<Hours>('market.hours', input),
    ])
    const stale = prices.filter((price) => price.stale).map((price) => JSON.stringify(toSafeSymbol(price.symbol)))
    const closed = pairs.filter(({ isOpen }) => !isOpen).map(({ name }) => JSON.stringify(toSafeSymbol(name)))
    const text = [
      `${prices.length} prices on ${chainName} at block ${blockNumber}.`,
      stale.length > 0 && `Stale, so conversions are refused: ${stale.join(', ')}.`,
      closed.length > 0 && `Closed markets: ${closed.join(', ')}.`,
    ]
    return { data: { prices, pools: pairs, blockNumber }, text: text.filter(Boolean).join(' ') }
  },
}

const pair = { chainId, tokenIn: token, tokenOut: token }

type Preview = { readonly amountIn: string; readonly amountOut: string; readonly fee: string } & Readonly<
  Record<'tokenIn' | 'tokenOut', TokenReference>
>

const previewConversion: Tool = {
  name: 'preview_conversion',
  description:
    'Returns what an amount converts to at the newest block. It fixes nothing; use quote_conversion to convert.',
  input: z.strictObject({ ...pair, amountIn: amount }),
  output: z.object({
    amountIn: z.string(),
    amountOut: z.string(),
    exchangeRate: z.string(),
    routeFeeRate: z.string(),
    market: z.string().optional(),
    tokenIn: tokenReference,
    tokenOut: tokenReference,
    blockNumber: z.int(),
  }),
  async run({ input, callProcedure }) {
    const data = await callProcedure<Preview>('convert.preview', input)
    const { amountIn, amountOut, tokenIn, tokenOut } = data
    return { data, text: `${formatAmount(amountIn, tokenIn)} converts to ${formatAmount(amountOut, tokenOut)} now.` }
  },
}

type Ladder = { readonly rows: readonly object[]; readonly maxAmountIn: { readonly tokenIn?: string } } & Readonly<
  Record<'tokenIn' | 'tokenOut', TokenReference>
>

const row = z.object({
  amountIn: z.string(),
  amountOut: z.string().optional(),
  exchangeRate: z.string().optional(),
  impact: z.string().optional(),
  error: z.object({ code: z.string() }).optional(),
})

const compareAmounts: Tool = {
  name: 'compare_amounts',
  description: 'Previews up to 20 amounts at one block, and returns the largest amount that the pools convert.',
  input: z.strictObject({ ...pair, amounts: z.array(amount).min(1).max(20) }),
  output: z.object({ rows: z.array(row), maxAmountIn: z.string().optional(), blockNumber: z.int() }),
  async run({ input, callProcedure }) {
    const ladder = await callProcedure<Ladder>('convert.ladder', input)
    const maxAmountIn = ladder.maxAmountIn.tokenIn
    const largest =
      maxAmountIn === undefined ? '' : ` The largest input is ${formatAmount(maxAmountIn, ladder.tokenIn)}.`
    return { data: { ...ladder, maxAmountIn }, text: `${ladder.rows.length} amounts previewed.${largest}` }
  },
}

/** The tools that read networks, prices and previews. */
export const marketTools: readonly Tool[] = [listNetworks, getMarket, previewConversion, compareAmounts]

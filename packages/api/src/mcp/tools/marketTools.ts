import type { Chain, Snapshot } from '@agio/chain'
import { Hop, toSafeSymbol, type Network } from '@agio/core'
import { z } from 'zod'
import { getChain, type Context } from '../../procedure/Context.ts'
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
  readonly pairs: readonly { readonly name: string; readonly poolAddress: string; readonly isOpen: boolean }[]
}

const getMarket: Tool = {
  name: 'get_market',
  description:
    'Returns the prices at which pools convert, the hours of their markets, and why conversions are refused. A price that is `stale` is refused until it is updated; `nextOpen` says when a closed market opens. `refusal` is the error code of a pool that refuses every amount. Quotes for `pausedPairs` are refused with svc/quoting-paused.',
  input: z.strictObject({ chainId }),
  output: z.object({
    prices: z.array(
      z.object({ address: z.string(), symbol, usd: z.string(), stale: z.boolean(), reason: z.string().optional() }),
    ),
    pools: z.array(
      z.object({
        name: symbol,
        poolAddress: z.string(),
        isOpen: z.boolean(),
        nextOpen: z.string().nullable(),
        refusal: z.string().optional(),
      }),
    ),
    pausedPairs: z.array(z.object({ name: symbol, tokens: z.array(z.string()) })),
    blockNumber: z.int(),
  }),
  async run({ input, context, callProcedure }) {
    const [{ chainName, tokens: prices, blockNumber }, { pairs }] = await Promise.all([
      callProcedure<Prices>('oracle.prices', input),
      callProcedure<Hours>('market.hours', input),
    ])
    const chain = getChain(context, input['chainId'] as Network.ChainId)
    const refusals = findRefusals(await chain.pools.getSnapshot())
    const pools = pairs.map((each) => ({ ...each, refusal: refusals.get(each.poolAddress) }))
    const pausedPairs = listPausedPairs(chain, context.store)
    const text = [
      `${prices.length} prices on ${chainName} at block ${blockNumber}.`,
      ...toSentence(
        'Stale, so conversions are refused',
        prices.filter((price) => price.stale).map((price) => price.symbol),
      ),
      ...toSentence('Closed markets', listNames(pools.filter(({ isOpen }) => !isOpen))),
      ...toSentence('Pools that refuse conversions', listNames(pools.filter((each) => each.refusal !== undefined))),
      ...toSentence('Quotes are paused for', listNames(pausedPairs)),
    ]
    return { data: { prices, pools, pausedPairs, blockNumber }, text: text.join(' ') }
  },
}

function listNames(named: readonly { readonly name: string }[]): readonly string[] {
  return named.map(({ name }) => name)
}

function toSentence(label: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${label}: ${names.map((name) => JSON.stringify(toSafeSymbol(name))).join(', ')}.`]
}

/** Returns the error code of each pool that refuses every amount, by its address. */
function findRefusals({ pools, block }: Snapshot): ReadonlyMap<string, string | undefined> {
  return new Map(
    pools.map(({ address, frozen, base, quote }) => {
      const sides = [base, quote].map((side) => Hop.findPriceError(side, block.timestampSeconds)?.code)
      return [address, frozen ? 'svc/pool-frozen' : sides.find((code) => code !== undefined)]
    }),
  )
}

/** Lists the pairs of a chain for which quotes are paused. */
function listPausedPairs({ chainId: id, pools }: Chain, { quotePauses }: Pick<Context['store'], 'quotePauses'>) {
  const known = [...pools.getTokens().values()]
  const pairs = known.flatMap((first, index) => known.slice(index + 1).map((second) => [first, second] as const))
  return pairs
    .filter(([{ address: a }, { address: b }]) => quotePauses.isPaused({ chainId: id, tokens: [a, b] }))
    .map(([a, b]) => ({ name: `${a.symbol}/${b.symbol}`, tokens: [a.address, b.address] }))
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

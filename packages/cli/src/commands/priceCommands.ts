import type { Command } from '@commander-js/extra-typings'
import type { Quote } from '@agio/sdk'
import { isJson, print, printRecord, printRecords, toLine } from '../output/print.ts'
import { parse } from '../sentence/Sentence.ts'
import { connect, parseChain } from '../service/connect.ts'
import { parseAddress, resolveTokens } from '../service/tokens.ts'
import {
  type ServiceOptions,
  addChainCommand,
  addServiceCommand,
  exactOutOption,
  parseWhole,
  slippageOption,
} from './options.ts'

/** Adds the commands that read prices and pools, and that price conversions. */
export function addPriceCommands(program: Command): void {
  addLists(program)
  addChainCommand(program, 'preview')
    .summary('preview a conversion: agio preview 100 tAUD tUSD')
    .description('Previews what a conversion pays at the newest block.')
    .usage('[options] <amount> <token-in> <token-out>')
    .argument('[words...]', 'amount to pay, and both tokens by symbol or address')
    .action(async (words, options) => {
      const { tokenIn, tokenOut, amountIn = '' } = parse(words)
      const { agio, chainId, addresses } = await locate(options, [tokenIn, tokenOut])
      const input = { chainId, ...addresses, amountIn }
      const preview = await agio.api.convert.preview.query(input)
      printRecord(preview, options, () => [
        ['Pay', `${preview.amountIn} ${preview.tokenIn.symbol}`],
        ['Receive', `${preview.amountOut} ${preview.tokenOut.symbol}`],
        ['Rate', preview.exchangeRate],
        ['Fee', preview.routeFeeRate],
        ['Market', preview.market],
        ['Block', preview.blockNumber],
      ])
    })
  addLadder(program)
  addQuote(program)
}

function addLists(program: Command): void {
  addServiceCommand(program, 'chains')
    .summary('list the served chains')
    .description('Lists the chains that the service serves.')
    .action(async (options) => {
      const { agio } = await connect(options)
      printRecords((await agio.api.chains.list.query()).chains, options, {
        Chain: ({ chainId }) => chainId,
        Name: ({ name }) => name,
        Tokens: ({ tokens }) => tokens.map(({ symbol }) => symbol).join(', '),
        Pools: ({ pools }) => pools,
        Router: ({ router }) => router,
        Block: ({ blockNumber }) => blockNumber ?? undefined,
      })
    })
  addChainCommand(program, 'pools')
    .summary('list the pools of a chain')
    .description('Lists the pools of a chain with their reserves.')
    .action(async (options) => {
      const { agio } = await connect(options)
      const chainId = parseChain(options.chain)
      const pools = []
      for (let page = 1; ; page += 1) {
        const listed = await agio.api.pools.list.query({ chainId, page, limit: 100 })
        pools.push(...listed.pools)
        if (listed.pools.length === 0 || pools.length >= listed.pagination.total) break
      }
      printRecords(pools, options, {
        Pool: ({ name }) => name,
        Address: ({ address }) => address,
        Reserves: ({ reserves, token0, token1 }) =>
          `${reserves.token0} ${token0.symbol}, ${reserves.token1} ${token1.symbol}`,
      })
    })
  addChainCommand(program, 'prices')
    .summary('list the oracle prices of a chain')
    .description('Lists the prices in dollars at which the pools convert.')
    .action(async (options) => {
      const { agio } = await connect(options)
      const chainId = parseChain(options.chain)
      const { prices } = await agio.api.oracle.prices.query({ chainId })
      const rows = Object.entries(prices).map(([token, price]) => ({ chainId, token, ...price }))
      printRecords(rows, options, {
        Token: ({ token }) => token,
        Dollars: ({ usd }) => usd,
        Updated: ({ lastUpdate }) => lastUpdate,
        Stale: ({ stale, reason }) => (stale ? (reason ?? 'yes') : 'no'),
      })
    })
}

function addLadder(program: Command): void {
  addChainCommand(program, 'ladder')
    .summary('price many amounts at one block: agio ladder tAUD tUSD 10 100 1000')
    .description(
      'Prices many amounts at one block. Without amounts, prices --steps amounts from the smallest to the largest.',
    )
    .usage('[options] <token-in> <token-out> [amounts...]')
    .argument('<token-in>', 'token to pay, by symbol or address')
    .argument('<words...>', 'token to receive, and amounts to pay')
    .option('--steps <n>', 'number of amounts, from 2 to 100', parseWhole, 10)
    .action(async (tokenIn, [tokenOut = '', ...amounts], options) => {
      const { agio, chainId, addresses } = await locate(options, [tokenIn, tokenOut])
      const given = amounts.length > 0 ? { amounts } : { steps: options.steps }
      const { rows } = await agio.api.convert.ladder.query({ chainId, ...addresses, ...given })
      printRecords(rows, options, {
        Pay: ({ amountIn }) => amountIn,
        Receive: ({ amountOut, error }) => amountOut ?? error?.code,
        Rate: ({ exchangeRate }) => exchangeRate,
        Impact: ({ impact }) => impact,
      })
    })
}

function addQuote(program: Command): void {
  addChainCommand(program, 'quote')
    .summary('quote a conversion: agio quote 100 tAUD tUSD, agio quote tAUD 65 tUSD --exact-out')
    .description('Quotes a conversion at terms that the service signs. As JSON it contains the quote for agio build.')
    .usage('[options] <amount> <token-in> <token-out>')
    .argument('[words...]', 'amount to pay, and both tokens; with --exact-out the amount to receive is the second word')
    .addOption(exactOutOption)
    .addOption(slippageOption)
    .option('--valid-for <seconds>', 'validity of the quote. Default: 60', parseWhole)
    .option('--from <address>', 'account that pays. The quote then has its issues and gas')
    .option('--recipient <address>', 'account that receives. Default: the account that pays')
    .action(async (words, { exactOut, ...options }) => {
      const { tokenIn, tokenOut, ...amount } = parse(words, { exactOut })
      const { agio, chainId, addresses } = await locate(options, [tokenIn, tokenOut])
      const quote = await agio.quote({
        chainId,
        ...addresses,
        ...amount,
        slippageBps: options.slippageBps,
        validForSeconds: options.validFor,
        userAddress: options.from === undefined ? undefined : parseAddress(options.from, '--from'),
        recipient: options.recipient === undefined ? undefined : parseAddress(options.recipient, '--recipient'),
      })
      printRecord(quote, options, () => toQuoteRows(quote))
      if (isJson(options)) return
      for (const { code, message } of quote.issues ?? []) print(toLine(`${code}: ${message}`))
    })
}

function toQuoteRows(quote: Quote) {
  const { tokenIn, tokenOut, minAmountOut, maxAmountIn } = quote
  return [
    ['Pay', `${quote.amountIn} ${tokenIn.symbol}`],
    ['Receive', `${quote.amountOut} ${tokenOut.symbol}`],
    ['At least', minAmountOut && `${minAmountOut} ${tokenOut.symbol}`],
    ['At most', maxAmountIn && `${maxAmountIn} ${tokenIn.symbol}`],
    ['Rate', quote.exchangeRate],
    ['Oracle rate', quote.oracleRate],
    ['Fee', quote.routeFeeRate],
    ['Expires', quote.expiresAt],
    ['Market', quote.market],
    ['Block', quote.blockNumber],
  ] as const
}

/** Connects to the service, and resolves the two tokens of a conversion. */
async function locate(options: ServiceOptions, [tokenIn = '', tokenOut = '']: readonly string[]) {
  const chainId = parseChain(options.chain)
  const { agio } = await connect(options)
  const [first = '0x', second = '0x'] = await resolveTokens(agio, chainId, [tokenIn, tokenOut])
  return { agio, chainId, addresses: { tokenIn: first, tokenOut: second } }
}

import type { Command } from '@commander-js/extra-typings'
import { errorClasses } from '@agio/localnet/stacks'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { CommandError, findCodeClass } from '../errors/CommandError.ts'
import { openSigner } from '../conversion/openSigner.ts'
import { printRecord, type Row } from '../output/print.ts'
import { parse } from '../sentence/Sentence.ts'
import { connect, parseChain, readJson } from '../service/connect.ts'
import { parseAddress, parseHash, resolveTokens } from '../service/tokens.ts'
import { addChainCommand, exactOutOption, slippageOption } from './options.ts'

const quoteHelp = 'file with the JSON of agio quote. - reads standard input'

/** Adds the commands that plan, build, send and follow transactions. */
export function addTransactionCommands(program: Command): void {
  addPlan(program)
  addBuild(program)
  addBroadcast(program)
  addFollow(program)
  addReplace(program)
}

function addPlan(program: Command): void {
  addChainCommand(program, 'plan')
    .summary('plan an approval: agio plan 100 tAUD --from <address>')
    .description('Plans the approval or the signature that an account needs before a conversion.')
    .argument('[amount]', 'amount that the router may take')
    .argument('[token]', 'token to pay, by symbol or address')
    .requiredOption('--from <address>', 'account that pays')
    .option('--quote <file>', quoteHelp)
    .option('--prefer <way>', 'permit or approve')
    .action(async (amount, token, options) => {
      const ownerAddress = parseAddress(options.from, '--from')
      const prefer = parsePreference(options.prefer)
      const { agio } = await connect(options)
      const quote = options.quote === undefined ? undefined : await readQuote(options.quote)
      const chainId = parseChain(options.chain)
      const terms = quote === undefined ? { chainId, amount, tokenAddress: await resolve(token) } : { quote }
      const plan = await agio.api.approval.plan.query({ ownerAddress, prefer, ...terms })
      printRecord(plan, options, () => [
        ['Spender', plan.spenderAddress],
        ['Allowance', plan.currentAllowance],
        ['Required', plan.requiredAmount],
        ...plan.steps.map(({ kind, reason }, index): Row => [`Step ${index + 1}`, `${kind}: ${reason}`]),
      ])

      async function resolve(name: string | undefined) {
        if (name === undefined) throw new CommandError('input', 'Name an amount and a token, or pass --quote')
        return (await resolveTokens(agio, chainId, [name]))[0]
      }
    })
}

function addBuild(program: Command): void {
  addChainCommand(program, 'build')
    .summary('build an unsigned conversion: agio build 100 tAUD tUSD --from <address>')
    .description('Quotes a conversion and builds its unsigned transaction, or builds it from a quote.')
    .usage('[options] [<amount> <token-in> <token-out>]')
    .argument('[words...]', 'the conversion, as for agio quote. Leave it out with --quote')
    .requiredOption('--from <address>', 'account that pays')
    .option('--quote <file>', quoteHelp)
    .addOption(exactOutOption)
    .addOption(slippageOption)
    .action(async (words, { exactOut, slippageBps, ...options }) => {
      const userAddress = parseAddress(options.from, '--from')
      const { agio } = await connect(options)
      const quote = options.quote === undefined ? (await requestQuote()).quote : await readQuote(options.quote)
      const built = await agio.api.transaction.buildConvert.query({ quote, userAddress })
      const { transaction, issues } = built
      printRecord(built, options, () => [
        ['To', transaction.to],
        ['Data', transaction.data],
        ['Gas limit', built.gasLimit],
        ...issues.map(({ code, message }): Row => [code, message]),
      ])

      async function requestQuote() {
        const { tokenIn: nameIn, tokenOut: nameOut, ...amount } = parse(words, { exactOut })
        const chainId = parseChain(options.chain)
        const [tokenIn = '0x', tokenOut = '0x'] = await resolveTokens(agio, chainId, [nameIn, nameOut])
        return await agio.quote({ chainId, tokenIn, tokenOut, ...amount, slippageBps, userAddress })
      }
    })
}

function addBroadcast(program: Command): void {
  addChainCommand(program, 'broadcast')
    .summary('broadcast a signed transaction')
    .description('Broadcasts a signed transaction, and waits until it is mined. Sending it again is safe.')
    .argument('[signed]', 'signed transaction. Default: standard input')
    .option('--quote <file>', 'file with the JSON of the quote that the transaction must execute')
    .action(async (signed, options) => {
      const { agio } = await connect(options)
      const signedTransaction = (signed ?? (await text(process.stdin))).trim() as `0x${string}`
      const { broadcast, broadcastConvert } = agio.api.transaction
      const result =
        options.quote === undefined
          ? await broadcast.mutate({ chainId: parseChain(options.chain), signedTransaction })
          : await broadcastConvert.mutate({ signedTransaction, quote: await readQuote(options.quote) })
      printRecord(result, options, () => [
        ['Transaction', result.transactionHash],
        ['Status', result.status],
        ['Block', result.blockNumber],
        ['Gas used', result.gasUsed],
        ['Failure', result.failure && `${result.failure.code}: ${result.failure.message}`],
      ])
      const failed = result.failure && (findCodeClass(result.failure.code) ?? 'market')
      const found = failed ?? (result.status === 'pending' ? 'unknown' : undefined)
      if (found !== undefined) process.exitCode = errorClasses[found].exitCode
    })
}

function addFollow(program: Command): void {
  addChainCommand(program, 'track')
    .summary('track a transaction')
    .description('Prints the state of a transaction; with --watch each state until the final one.')
    .argument('<hash>', 'transaction hash')
    .option('--watch', 'print each state, until the final one')
    .action(async (hash, options) => {
      const transaction = { chainId: parseChain(options.chain), transactionHash: parseHash(hash) }
      const { agio } = await connect(options)
      const print = (tracked: Awaited<ReturnType<typeof agio.api.transaction.track.query>>) =>
        printRecord(tracked, options, () => [
          ['Status', tracked.status],
          ['Block', tracked.blockNumber],
          ['Finality', tracked.finality],
          ['Replaced by', tracked.replacement?.transactionHash],
          ['Failure', tracked.failure && `${tracked.failure.code}: ${tracked.failure.message}`],
        ])
      if (options.watch !== true) return print(await agio.api.transaction.track.query(transaction))
      for await (const tracked of agio.watchTransaction(transaction)) print(tracked)
    })
  addChainCommand(program, 'receipt')
    .summary('explain a mined conversion')
    .description('Prints what a conversion paid and received, and how that differs from the oracles.')
    .argument('<hash>', 'transaction hash')
    .option('--quote <file>', 'file with the JSON of the quote that the transaction executed')
    .action(async (hash, options) => {
      const { agio } = await connect(options)
      const quote = options.quote === undefined ? undefined : await readQuote(options.quote)
      const input = { transactionHash: parseHash(hash), chainId: parseChain(options.chain), quote }
      const receipt = await agio.api.convert.receipt.query(input)
      const { parts, failure } = receipt
      printRecord(receipt, options, () => [
        ['Status', receipt.status],
        ['Paid', receipt.amountIn && `${receipt.amountIn} ${receipt.tokenIn?.symbol ?? ''}`],
        ['Received', receipt.amountOut && `${receipt.amountOut} ${receipt.tokenOut?.symbol ?? ''}`],
        ['Rate', receipt.executedRate],
        ['Oracle rate', receipt.oracleRate],
        ['Price move', parts?.priceMove],
        ['Impact', parts?.impact],
        ['Fee', parts?.fee],
        ['Block', receipt.blockNumber],
        ['Gas paid', receipt.gasPaid],
        ['Failure', failure && `${failure.code}: ${failure.message}`],
      ])
    })
}

function addReplace(program: Command): void {
  addChainCommand(program, 'replace')
    .summary('speed up or cancel a pending transaction')
    .description('Sends a pending transaction again with higher fees, or cancels it.')
    .argument('<hash>', 'hash of the pending transaction')
    .option('--cancel', 'send an empty transfer instead. Default: send the same call again')
    .option('--account <n>', 'account of the local stack that has sent it')
    .option('--private-key-file <file>', 'file with the private key of the account that has sent it')
    .option('--unsigned', 'print the unsigned transaction')
    .action(async (hash, options) => {
      const target = { chainId: parseChain(options.chain), transactionHash: parseHash(hash) }
      const connection = await connect(options)
      const { agio } = connection
      const kind = options.cancel === true ? 'cancel' : 'speed-up'
      if (options.unsigned === true) {
        const built = await agio.api.transaction.buildReplace.query({ ...target, kind })
        return printRecord(built, options, () =>
          Object.entries(built.transaction).map(([name, value]) => [name, value]),
        )
      }
      const { wallet } = await openSigner(connection, { ...options, chainId: target.chainId })
      const transactionHash = await (kind === 'cancel' ? agio.cancel : agio.speedUp)(target, { wallet })
      const replacement = { chainId: target.chainId, kind, replaced: target.transactionHash, transactionHash }
      printRecord(replacement, options, () => [
        ['Transaction', transactionHash],
        ['Replaces', target.transactionHash],
      ])
    })
}

function parsePreference(text: string | undefined) {
  if (text === undefined || text === 'permit' || text === 'approve') return text
  throw new CommandError('input', `Invalid --prefer: '${text}' is neither permit nor approve`)
}

/** Reads the quote of a file with the JSON of `agio quote`, or of standard input for `-`. */
async function readQuote(path: string): Promise<string> {
  const content = path === '-' ? parseJson(await text(process.stdin)) : await readJson(path)
  const { quote } = (content ?? {}) as { readonly quote?: unknown }
  if (typeof quote === 'string') return quote
  throw new CommandError('input', `${path === '-' ? 'Standard input' : path} has no quote: pass the JSON of agio quote`)
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content) as unknown
  } catch (cause) {
    throw new CommandError('input', 'Standard input is not JSON', { cause })
  }
}

import type { Command } from '@commander-js/extra-typings'
import type { Agio, AgioQuote, Conversion, Step, Wallet } from '@agio/sdk'
import process from 'node:process'
import { captureCalls } from '../conversion/captureCalls.ts'
import { assertTerminal, confirm } from '../conversion/confirm.ts'
import { getNodeUrl, openSigner, type SignerOptions } from '../conversion/openSigner.ts'
import { createStepFile, findStep, type StepFile } from '../conversion/StepFile.ts'
import { CommandError, findErrorClass } from '../errors/CommandError.ts'
import { printError, printRecord, printRecords } from '../output/print.ts'
import { parse, type Sentence } from '../sentence/Sentence.ts'
import { connect, parseChain, type Connection } from '../service/connect.ts'
import { parseAddress, resolveTokens } from '../service/tokens.ts'
import { type ServiceOptions, addChainCommand, exactOutOption, pinsOption, slippageOption } from './options.ts'

/** Adds the command that converts. */
export function addConvert(program: Command): void {
  addChainCommand(program, 'convert')
    .summary('convert: agio convert 100 tAUD tUSD --account 2 --yes')
    .description(
      'Quotes, approves and converts, and prints the receipt. Asks on the terminal before it signs. Everything that the service builds is checked against the quote and the trusted contracts.',
    )
    .usage('[options] <amount> <token-in> <token-out>')
    .argument('[words...]', 'the conversion, as for agio quote. May be left out with --resume')
    .option('--account <n>', 'account of the local stack that pays and signs')
    .option('--private-key-file <file>', 'file with the private key of the account that pays and signs')
    .option('--unsigned', 'print the calls to sign, and sign nothing. Needs --from')
    .option('--from <address>', 'account that will sign the printed calls')
    .addOption(exactOutOption)
    .addOption(slippageOption)
    .option('--recipient <address>', 'account that receives. Default: the account that pays')
    .option('--yes', 'sign without asking')
    .option('--resume <file>', 'continue the conversion of this file, or start one and keep its steps there')
    .addOption(pinsOption)
    .action(async (words, options) => {
      if (options.unsigned === true) await printUnsigned(words, options)
      else await convert(words, options)
    })
}

type Options = ServiceOptions &
  SignerOptions & {
    readonly exactOut?: true | undefined
    readonly from?: string | undefined
    readonly slippageBps?: number | undefined
    readonly recipient?: string | undefined
    readonly yes?: true | undefined
    readonly resume?: string | undefined
  }

async function printUnsigned(words: readonly string[], options: Options): Promise<void> {
  const sentence = parse(words, options)
  if (options.from === undefined) throw new CommandError('input', 'Pass --from with the account that will sign')
  const from = parseAddress(options.from, '--from')
  const connection = await connect(options)
  const nodeUrl = getNodeUrl(connection, parseChain(options.chain))
  const quote = await requestQuote(connection, sentence, { ...options, payer: from })
  printRecords(await captureCalls(connection.agio, quote, { from, nodeUrl }), options, {
    To: ({ to }) => to,
    Value: ({ value }) => value,
    Data: ({ data }) => data,
  })
}

async function convert(words: readonly string[], options: Options): Promise<void> {
  if (options.yes !== true) assertTerminal()
  const step = options.resume === undefined ? undefined : await findStep(options.resume)
  if (step === undefined && words.length === 0 && options.resume !== undefined) {
    throw new CommandError('input', `Cannot resume: ${options.resume} does not exist`)
  }
  const sentence = words.length > 0 || step === undefined ? parse(words, options) : undefined
  const connection = await connect(options)
  const chainId = step?.state.chainId ?? parseChain(options.chain)
  const { wallet, address } = await openSigner(connection, { ...options, chainId })
  const { agio } = connection
  if (step) {
    if (sentence) await assertSame(connection, sentence, step)
    return await run(createStepFile(options.resume, connection.stack), options, (onStep, signal) =>
      agio.resume(step, { wallet, onStep, signal }),
    )
  }
  if (!sentence) return
  const quote = await requestQuote(connection, sentence, { ...options, payer: address })
  await run(createStepFile(options.resume, connection.stack), options, start(agio, quote, wallet))
}

function start(agio: Agio, quote: AgioQuote, wallet: Wallet): Start {
  return (onStep, signal) => agio.convert({ quote, wallet, onStep, signal })
}

type Start = (onStep: (step: Step) => Promise<void>, signal: AbortSignal) => Conversion

/** Runs a conversion, stores its steps, and prints its receipt. Ctrl-C stops it. */
async function run(file: StepFile, options: Options, startConversion: Start): Promise<void> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const onStep = async (step: Step) => {
    await file.write(step)
    if (options.json !== true) report(step)
    if (options.yes !== true) await confirm(step)
  }
  try {
    const receipt = await startConversion(onStep, stopping.signal)
    printRecord(receipt, options, () => [
      ['Paid', `${receipt.amountIn} ${receipt.tokenIn.symbol}`],
      ['Received', `${receipt.amountOut} ${receipt.tokenOut.symbol}`],
      ['To', receipt.recipient],
      ['Rate', receipt.executedRate],
      ['Transaction', receipt.transactionHash],
      ['Block', receipt.blockNumber],
      ['Gas paid', receipt.gasPaid],
    ])
    await file.remove()
  } catch (error) {
    if (findErrorClass(error) !== 'unknown') await file.remove()
    else printError(`A transaction may have been sent. Continue with: agio convert --resume ${file.path}`)
    throw error
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Prints the progress on the error output. */
function report({ kind, status, transactionHash }: Step): void {
  if (status === 'needed') return
  printError([kind, status, transactionHash].filter(Boolean).join(' '))
}

async function requestQuote(
  { agio }: Connection,
  { tokenIn, tokenOut, ...amount }: Sentence,
  options: Options & { readonly payer: `0x${string}` },
): Promise<AgioQuote> {
  const chainId = parseChain(options.chain)
  const [first = '0x', second = '0x'] = await resolveTokens(agio, chainId, [tokenIn, tokenOut])
  return await agio.quote({
    chainId,
    tokenIn: first,
    tokenOut: second,
    ...amount,
    slippageBps: options.slippageBps,
    userAddress: options.payer,
    recipient: options.recipient === undefined ? undefined : parseAddress(options.recipient, '--recipient'),
  })
}

/** Asserts that a step is of the conversion that the command line states. @throws `CommandError` */
async function assertSame({ agio }: Connection, sentence: Sentence, { state }: Step): Promise<void> {
  const { request, chainId } = state.quote
  const tokens = await resolveTokens(agio, chainId, [sentence.tokenIn, sentence.tokenOut])
  const stated = [...tokens, sentence.amountIn ?? sentence.amountOut].map((part) => part.toLowerCase())
  const stored = [request.tokenIn, request.tokenOut, request.amountIn ?? request.amountOut]
  const isSame = stored.every((part, index) => part.toLowerCase() === stated[index])
  if (isSame && (request.amountIn === undefined) === (sentence.amountIn === undefined)) return
  throw new CommandError(
    'input',
    'The file of --resume has another conversion. Pass another file, or leave the amount out',
  )
}

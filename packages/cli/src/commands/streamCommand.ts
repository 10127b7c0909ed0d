import type { Command } from '@commander-js/extra-typings'
import { CommandError, formatError } from '../errors/CommandError.ts'
import { parse } from '../sentence/Sentence.ts'
import { connect, parseChain } from '../service/connect.ts'
import { parseAddress, parseHash, resolveTokens } from '../service/tokens.ts'
import type { Agio, WatchOptions } from '@agio/sdk'
import { chainOption, exactOutOption, slippageOption, stackOption, type ServiceOptions } from './options.ts'
import { print, printError } from '../output/print.ts'

/** Adds the command that prints the events of a topic. */
export function addStream(program: Command): void {
  program
    .command('stream')
    .summary('print the changes of a topic: agio stream prices')
    .description('Prints the state of a topic, and each change, as one JSON object a line, until Ctrl-C.')
    .usage('[options] <topic> [words...]')
    .argument('<topic>', 'prices, pool, quote or transaction')
    .argument('[words...]', 'address of the pool, conversion as for agio quote, or transaction hash')
    .addOption(exactOutOption)
    .addOption(slippageOption)
    .addOption(chainOption)
    .addOption(stackOption)
    .action(async (topic, words, options) => {
      const { agio } = await connect(options)
      // The stream is opened again by itself.
      const onError = (error: Error) => printError(formatError(error, { json: false }))
      for await (const event of await watch(agio, { topic, words, options, onError })) {
        print(JSON.stringify({ topic, ...event }))
      }
    })
}

type Watching = {
  readonly topic: string
  readonly words: readonly string[]
  readonly options: ServiceOptions & {
    readonly exactOut?: true | undefined
    readonly slippageBps?: number | undefined
  }
  readonly onError: NonNullable<WatchOptions['onError']>
}

async function watch(agio: Agio, { topic, words, options, onError }: Watching): Promise<AsyncIterable<object>> {
  const chainId = parseChain(options.chain)
  const [word = '', ...others] = words
  const expect = (count: number) => {
    if (words.length !== count) throw new CommandError('input', `agio stream ${topic} takes ${count} more words`)
  }
  switch (topic) {
    case 'prices':
      expect(0)
      return agio.watchPrices({ chainId }, { onError })
    case 'pool':
      expect(1)
      return agio.watchPool({ chainId, poolAddress: parseAddress(word, 'pool') }, { onError })
    case 'transaction':
      expect(1)
      return agio.watchTransaction({ chainId, transactionHash: parseHash(word) }, { onError })
    case 'quote': {
      const { tokenIn: nameIn, tokenOut: nameOut, ...amount } = parse([word, ...others], options)
      const [tokenIn = '0x', tokenOut = '0x'] = await resolveTokens(agio, chainId, [nameIn, nameOut])
      const request = { chainId, tokenIn, tokenOut, ...amount, slippageBps: options.slippageBps }
      return agio.watchQuote(request, { onError })
    }
    default:
      throw new CommandError('input', `Unknown topic '${topic}': the topics are prices, pool, quote and transaction`)
  }
}

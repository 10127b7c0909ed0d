import { Command } from '@commander-js/extra-typings'
import manifest from '../../package.json' with { type: 'json' }
import { addConvert } from './convertCommand.ts'
import { addKeysCommands } from './keysCommands.ts'
import { addLocalCommands } from './localCommands.ts'
import { addMcp } from './mcpCommand.ts'
import { addPriceCommands } from './priceCommands.ts'
import { addRequests } from './requestsCommands.ts'
import { addStackCommands } from './stackCommands.ts'
import { addStream } from './streamCommand.ts'
import { addTransactionCommands } from './transactionCommands.ts'
import { addWebhooksCommands } from './webhooksCommands.ts'

const helpWidth = 100

/** Creates the parser of the command line, with all commands. */
export function createProgram(): Command {
  const program = new Command('agio')
    .description(
      'Converts stablecoins: the local stack, the service and its API from a shell. The service is the running local stack, or the one at AGIO_URL with the key AGIO_API_KEY.',
    )
    .version(manifest.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    // Commands inherit this.
    .configureHelp({ helpWidth })
    .showHelpAfterError('Try --help.')
  for (const [group, add] of groups) {
    program.commandsGroup(group)
    for (const addCommands of add) addCommands(program)
  }
  for (const command of listCommands(program)) command.exitOverride().helpOption('-h, --help', 'print this help')
  return program
}

/** Lists a command and all commands below it. */
export function listCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap((below) => listCommands(below as Command))]
}

const groups: readonly (readonly [string, readonly ((program: Command) => void)[]])[] = [
  ['Run:', [addStackCommands]],
  ['Local stack:', [addLocalCommands]],
  ['Convert:', [addPriceCommands, addConvert, addTransactionCommands]],
  ['Follow:', [addStream, addWebhooksCommands, addRequests, addMcp]],
  ['Operate:', [addKeysCommands]],
]

import { Command } from '@commander-js/extra-typings'
import manifest from '../../package.json' with { type: 'json' }
import { visibleOptions } from './options.ts'

const helpWidth = 100

/**
 * Creates the parser of the command line, with all commands.
 *
 * @param name the only command that is needed. Without it, and for an unknown one, the parser has every command
 */
export async function createProgram(name?: string): Promise<Command> {
  const program = new Command('agio')
    .description(
      'Converts stablecoins: the local stack, the service and its API from a shell. The service is the running local stack, or the one at AGIO_URL with the key AGIO_API_KEY.',
    )
    .version(manifest.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    // Commands inherit this.
    .configureHelp({ helpWidth, visibleOptions })
    .showHelpAfterError('Try --help.')
  const found = modules.filter(({ names }) => names.split(' ').includes(name ?? ''))
  for (const { group, load } of found.length > 0 ? found : modules) {
    program.commandsGroup(group)
    ;(await load())(program)
  }
  for (const command of listCommands(program)) command.exitOverride().helpOption('-h, --help', 'print this help')
  return program
}

/** Lists a command and all commands below it. */
export function listCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap((below) => listCommands(below as Command))]
}

/** The modules of the commands, in the order of the help. A module loads only for its own commands, so that each starts fast. */
const modules: readonly CommandModule[] = [
  {
    group: 'Run:',
    names: 'dev serve migrate contracts',
    load: async () => (await import('./stackCommands.ts')).addStackCommands,
  },
  {
    group: 'Local stack:',
    names: 'scenario time snapshot fund sign',
    load: async () => (await import('./localCommands.ts')).addLocalCommands,
  },
  {
    group: 'Convert:',
    names: 'chains pools prices preview ladder quote',
    load: async () => (await import('./priceCommands.ts')).addPriceCommands,
  },
  { group: 'Convert:', names: 'convert', load: async () => (await import('./convertCommand.ts')).addConvert },
  {
    group: 'Convert:',
    names: 'plan build broadcast track receipt replace',
    load: async () => (await import('./transactionCommands.ts')).addTransactionCommands,
  },
  { group: 'Follow:', names: 'stream', load: async () => (await import('./streamCommand.ts')).addStream },
  {
    group: 'Follow:',
    names: 'webhooks',
    load: async () => (await import('./webhooksCommands.ts')).addWebhooksCommands,
  },
  { group: 'Follow:', names: 'requests', load: async () => (await import('./requestsCommands.ts')).addRequests },
  { group: 'Follow:', names: 'mcp', load: async () => (await import('./mcpCommand.ts')).addMcp },
  { group: 'Operate:', names: 'backup', load: async () => (await import('./backupCommand.ts')).addBackup },
  { group: 'Operate:', names: 'keys', load: async () => (await import('./keysCommands.ts')).addKeysCommands },
]

type CommandModule = {
  /** The heading of its commands in the help. */
  readonly group: string
  readonly names: string
  readonly load: () => Promise<(program: Command) => void>
}

import { Network } from '@agio/localnet/stacks'
import { Help, InvalidArgumentError, Option, type Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import type { ConnectOptions } from '../service/connect.ts'

/** The option `--chain`. */
export const chainOption = new Option('--chain <chain>', 'chain by name or id').default(String(Network.defaultChainId))

/** The option `--json`. */
export const jsonOption = new Option('--json', 'print one JSON object a line, as without a terminal')

/** The option `--stack`. */
export const stackOption = new Option('--stack <name>', 'local stack to use, as AGIO_STACK')

/** The option `--pins`. */
export const pinsOption = new Option(
  '--pins <file>',
  'contracts that may be called and approved: a deployment file. Default: of the local stack',
)

/** The option `--exact-out`. */
export const exactOutOption = new Option('--exact-out', 'receive an exact amount: <token-in> <amount> <token-out>')

/** The option `--slippage-bps`. */
export const slippageOption = new Option('--slippage-bps <n>', 'tolerance in basis points. Default: 5').argParser(
  parseWhole,
)

/** The options of a command that calls the service on a chain. */
export type ServiceOptions = ConnectOptions & { readonly chain: string; readonly json?: true | undefined }

/** Parses a whole number. @throws `InvalidArgumentError` */
export function parseWhole(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is not a whole number.')
}

/** Adds a value to those of an option that can be repeated. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value]
}

/** Adds a command that calls the service and prints the result: with `--stack` and `--json`. */
export function addServiceCommand(parent: Command, name: string) {
  return parent.command(name).addOption(stackOption).addOption(jsonOption)
}

/** Adds a command that calls the service for one chain: with `--chain`, `--stack` and `--json`. */
export function addChainCommand(parent: Command, name: string) {
  return parent.command(name).addOption(chainOption).addOption(stackOption).addOption(jsonOption)
}

/** Lists the options of a command in its help: its own, and then those that many commands have. */
export function visibleOptions(command: CommandUnknownOpts): Option[] {
  const isCommon = ({ long }: Option) => ['--chain', '--stack', '--json', '--help'].includes(long ?? '')
  const options = new Help().visibleOptions(command)
  return [...options.filter((option) => !isCommon(option)), ...options.filter(isCommon)]
}

import process from 'node:process'

/**
 * Runs a command that ends by itself, and prints its result. Prints its usage for `--help`.
 *
 * @param command receives the arguments of the command line. If it throws, the error is printed and the exit code is 1
 */
export async function runOnce(usage: string, command: (args: readonly string[]) => Promise<string>): Promise<void> {
  const args = readArguments()
  if (wantsHelp(args)) return console.log(usage)
  try {
    console.log(await command(args))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** Returns the arguments of the command line, without the `--` that npm requires before them and pnpm passes on. */
export function readArguments(): readonly string[] {
  return process.argv.slice(2).filter((argument) => argument !== '--')
}

/** Returns whether the arguments of a command line contain `--help` or `-h`. */
export function wantsHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

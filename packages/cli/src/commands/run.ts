import { CommanderError } from '@commander-js/extra-typings'
import process from 'node:process'
import { createProgram } from './createProgram.ts'

const inputExitCode = 2

/** Runs a command line. An error is printed on the error output, and its class is the exit code. */
export async function run(words: readonly string[]): Promise<void> {
  // pnpm passes on the `--` that npm requires before arguments.
  const args = words.filter((word) => word !== '--')
  endWithReader(args[0])
  try {
    await refuseKeys(args)
    await (await createProgram(args[0])).parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : inputExitCode
    else {
      const { formatError, printError, toExitCode } = await loadErrors()
      printError(formatError(error, { json: args.includes('--json') }))
      process.exit(toExitCode(error))
    }
  }
}

/** The errors load the catalogue and the SDK, which most command lines need later or never. */
async function loadErrors() {
  return { ...(await import('../errors/CommandError.ts')), ...(await import('../output/print.ts')) }
}

// They serve others, and continue when the reader of their log has ended.
const servers = new Set(['serve', 'dev'])

/** Ends the process when the reader of its output has ended, as `head` does, unless the command is a server. */
function endWithReader(command: string | undefined): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' && !servers.has(command ?? '')) process.exit()
  })
}

/**
 * Refuses a key on the command line, before an error can print it.
 *
 * @throws `CommandError` that does not contain the key
 */
async function refuseKeys(args: readonly string[]): Promise<void> {
  const isDeployment = args[0] === 'contracts'
  const hasKey = args.some(
    (word) => /^(--?[\w-]*key(=|$)|\w*key=)/i.test(word) || (isDeployment && /[\da-f]{64}/i.test(word)),
  )
  if (!hasKey) return
  const { CommandError } = await loadErrors()
  throw new CommandError(
    'input',
    `A key on the command line is visible to other processes and stays in the history of the shell. Set ${isDeployment ? 'DEPLOYER_KEY_FILE or DEPLOYER_KEY' : 'AGIO_API_KEY, or pass --private-key-file'} instead, and replace this key`,
  )
}

// `pnpm keys`: issues, lists, rotates and revokes the API keys of a running service, and rotates its secret of quotes.
import process from 'node:process'
import { keysUsage } from './keys/parseKeysCommand.ts'
import { runKeysCommand } from './keys/runKeysCommand.ts'
import { runOnce } from './cli/command.ts'

await runOnce(keysUsage, (args) => runKeysCommand(args, process.env))

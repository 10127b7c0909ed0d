// `pnpm keys`: issues, lists, rotates and revokes the API keys of a running service, and rotates its secret of quotes.
import process from 'node:process'
import { keysUsage } from './cli/parseKeysCommand.ts'
import { runKeysCommand } from './cli/runKeysCommand.ts'
import { runOnce } from './cli/runOnce.ts'

await runOnce(keysUsage, (args) => runKeysCommand(args, process.env))

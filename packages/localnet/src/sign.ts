// `pnpm sign`: a wallet for trials. It signs with well-known accounts. Never use it with real money.
import { runOnce } from '@agio/server/cli'
import { runSignCommand, signUsage } from './cli/runSignCommand.ts'

await runOnce(signUsage, (args) => runSignCommand(args, process.env))
